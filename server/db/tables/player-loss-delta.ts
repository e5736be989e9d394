// Made from the migrated database by `npm run schema`, never by hand.
export interface PlayerLossDeltaTable {
  userId: number;
  day: string;
  amount: string;
}
