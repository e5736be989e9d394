// Made from the migrated database by `npm run schema`, never by hand.
export interface TurnoverCountedTable {
  requirementId: number;
  gameId: number;
  phase: string;
  turnover: string;
  opposing: 'BOTH' | 'DIFFERENCE' | null;
}
