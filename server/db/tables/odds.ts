// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted } from '../columns.ts';

export interface OddsTable {
  id: GeneratedAlways<number>;
  playWayId: number;
  numberId: number;
  odds: string;
  stopped: Defaulted<boolean>;
  version: Defaulted<number>;
}
