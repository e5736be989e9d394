// Made from the migrated database by `npm run schema`, never by hand.
export interface ListStartTable {
  operatorId: number;
  screen: string;
  viewId: number;
}
