// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface HappeningTable {
  xid: Defaulted<number>;
  id: GeneratedAlways<number>;
  createTime: Defaulted<Moment>;
  noun: string;
  rowId: number;
  what: 'ADDED' | 'CHANGED';
  userId: number | null;
  gameId: number | null;
  status: string | null;
}
