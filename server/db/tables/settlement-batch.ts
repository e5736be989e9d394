// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted } from '../columns.ts';

export interface SettlementBatchTable {
  settlementId: number;
  no: number;
  slips: number[];
  settled: Defaulted<number>;
  stake: Defaulted<string>;
  payout: Defaulted<string>;
  refund: Defaulted<string>;
}
