// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface PromiseOrderTable {
  id: GeneratedAlways<number>;
  gameId: number;
  phase: string;
  createTime: Defaulted<Moment>;
}
