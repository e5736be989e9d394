// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface DrawRecordTable {
  id: GeneratedAlways<number>;
  gameId: number;
  phase: string;
  result: string;
  openTime: Moment;
  createTime: Defaulted<Moment>;
  source: string | null;
  conflict: Defaulted<boolean>;
  seed: string | null;
}
