// Made from the migrated database by `npm run schema`, never by hand.
export interface ListCountTable {
  list: string;
  key: string;
  timeBits: number;
  idBits: number;
  timeBlock: number;
  idBlock: number;
  n: number;
}
