// Made from the migrated database by `npm run schema`, never by hand.
export interface ReportPlayerTable {
  level: number;
  userId: number;
  gameId: number;
  playWayId: number;
  day: string;
  agents: number[];
  slips: number;
  stake: string;
  payout: string;
  refund: string;
  rebate: string;
  writtenOff: string;
  unsettled: string;
}
