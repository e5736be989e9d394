// Made from the migrated database by `npm run schema`, never by hand.
export interface ExposureChoiceTable {
  gameId: number;
  phase: string;
  rulesId: number;
  hash: Buffer;
  selection: string;
  stake: string;
  unitStake: string;
}
