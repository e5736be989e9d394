// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';

export interface BetTimeRangeTable {
  id: GeneratedAlways<number>;
  gameId: number;
  start: string;
  end: string;
  openRate: number | null;
  weekdays: number[] | null;
}
