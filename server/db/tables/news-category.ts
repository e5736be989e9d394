// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted } from '../columns.ts';

export interface NewsCategoryTable {
  id: GeneratedAlways<number>;
  name: string;
  version: Defaulted<number>;
}
