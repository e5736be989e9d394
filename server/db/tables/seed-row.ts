// Made from the migrated database by `npm run schema`, never by hand.
export interface SeedRowTable {
  key: string;
  value: string;
}
