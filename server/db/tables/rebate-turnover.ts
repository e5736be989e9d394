// Made from the migrated database by `npm run schema`, never by hand.
export interface RebateTurnoverTable {
  day: string;
  userId: number;
  gameId: number;
  agents: number[];
  runDay: string;
  level: number;
  categoryId: number;
  turnover: string;
}
