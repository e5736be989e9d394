// Made from the migrated database by `npm run schema`, never by hand.
export interface SettlementBatchTable {
  settlementId: number;
  no: number;
  slips: number[];
}
