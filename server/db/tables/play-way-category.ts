// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted } from '../columns.ts';

export interface PlayWayCategoryTable {
  id: GeneratedAlways<number>;
  gameId: number;
  parentCategoryId: number | null;
  name: string;
  countOfRows: number;
  hideName: Defaulted<boolean>;
  version: Defaulted<number>;
}
