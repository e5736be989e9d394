// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted } from '../columns.ts';

export interface ReportSumTable {
  level: number;
  agentId: number;
  gameId: number;
  playWayId: number;
  day: string;
  slips: number;
  players: Defaulted<number>;
  stake: string;
  payout: string;
  refund: string;
  rebate: string;
  writtenOff: string;
  unsettled: string;
}
