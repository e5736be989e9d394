// Made from the migrated database by `npm run schema`, never by hand.
export interface ReportReturnTable {
  level: number;
  agentId: number;
  gameId: number;
  playWayId: number;
  day: string;
  before: string;
  n: number;
}
