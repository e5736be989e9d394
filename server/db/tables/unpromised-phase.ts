// Made from the migrated database by `npm run schema`, never by hand.
export interface UnpromisedPhaseTable {
  gameId: number;
  phase: string;
}
