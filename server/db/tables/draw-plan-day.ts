// Made from the migrated database by `npm run schema`, never by hand.
export interface DrawPlanDayTable {
  gameId: number;
  day: string;
}
