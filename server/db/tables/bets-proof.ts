// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface BetsProofTable {
  day: string;
  startTime: Defaulted<Moment>;
  endTime: Moment | null;
  slips: number | null;
  broken: number | null;
  problems: Defaulted<string[]>;
}
