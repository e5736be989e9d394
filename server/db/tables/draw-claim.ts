// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface DrawClaimTable {
  id: GeneratedAlways<number>;
  recordId: number;
  source: string;
  result: string;
  openTime: Moment;
  createTime: Defaulted<Moment>;
}
