// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Json, Moment } from '../columns.ts';

export interface ChangeRecordTable {
  id: GeneratedAlways<number>;
  createTime: Defaulted<Moment>;
  operatorId: number | null;
  userName: string;
  call: string;
  summary: string;
  targetId: string | null;
  input: Json;
  before: Json | null;
  after: Json | null;
  address: string;
  outcome: 'SUCCESS' | 'PREPARED' | 'REFUSED' | 'DENIED' | 'FAULT';
  msg: string | null;
}
