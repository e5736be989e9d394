// Made from the migrated database by `npm run schema`, never by hand.
export interface ListDeltaTable {
  list: string;
  key: string;
  timeBlock: number;
  idBlock: number;
  n: number;
}
