// Made from the migrated database by `npm run schema`, never by hand.
import type { Moment } from '../columns.ts';

export interface FormerStopTable {
  gameId: number;
  until: Moment;
  stopBetSecond: number;
}
