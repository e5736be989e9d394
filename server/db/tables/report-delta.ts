// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted } from '../columns.ts';

export interface ReportDeltaTable {
  day: string;
  userId: number;
  gameId: number;
  playWayId: number;
  agents: number[];
  slips: Defaulted<number>;
  waySlips: Defaulted<number>;
  stake: Defaulted<string>;
  payout: Defaulted<string>;
  refund: Defaulted<string>;
  rebate: Defaulted<string>;
  writtenOff: Defaulted<string>;
  unsettled: Defaulted<string>;
}
