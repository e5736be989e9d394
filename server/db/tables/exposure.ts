// Made from the migrated database by `npm run schema`, never by hand.
export interface ExposureTable {
  gameId: number;
  phase: string;
  playWayId: number;
  rulesId: number;
  number: string;
  stake: string;
  units: number;
  payout: string;
}
