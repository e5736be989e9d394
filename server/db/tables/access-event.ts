// Made from the migrated database by `npm run schema`, never by hand.
export interface AccessEventTable {
  epoch: number;
  operatorIds: number[];
  roleIds: number[];
  sessionIds: string[];
}
