// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted } from '../columns.ts';

export interface GameCategoryTable {
  id: GeneratedAlways<number>;
  name: string;
  iconClass: string | null;
  index: Defaulted<number>;
  version: Defaulted<number>;
}
