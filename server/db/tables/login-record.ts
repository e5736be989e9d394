// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface LoginRecordTable {
  id: GeneratedAlways<number>;
  createTime: Defaulted<Moment>;
  operatorId: number | null;
  userName: string;
  address: string;
  outcome: 'SUCCESS' | 'REJECTED' | 'LOCKED' | 'HELD';
  msg: string;
  agent: Defaulted<string>;
}
