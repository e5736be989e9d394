// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface NewsTable {
  id: GeneratedAlways<number>;
  categoryId: number;
  title: string;
  content: string;
  important: Defaulted<boolean>;
  createTime: Defaulted<Moment>;
  version: Defaulted<number>;
}
