// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';

export interface SealGapTable {
  id: GeneratedAlways<number>;
  kind: string;
  ids: string;
  writers: string[];
}
