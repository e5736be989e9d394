// Made from the migrated database by `npm run schema`, never by hand.
export interface CountedListTable {
  list: string;
  timeBits: number;
}
