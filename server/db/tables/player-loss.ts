// Made from the migrated database by `npm run schema`, never by hand.
export interface PlayerLossTable {
  userId: number;
  day: string;
  loss: string;
}
