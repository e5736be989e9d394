// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface ReportClosedDayTable {
  day: string;
  closeTime: Defaulted<Moment>;
  slips: number;
  players: number;
  stake: string;
  payout: string;
  refund: string;
  rebate: string;
  writtenOff: string;
  unsettled: string;
}
