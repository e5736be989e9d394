// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface DrawEntryTable {
  id: GeneratedAlways<number>;
  gameId: number;
  phase: string;
  result: string;
  evidence: string;
  reason: string;
  operatorId: number;
  userName: string;
  createTime: Defaulted<Moment>;
  dueTime: Moment;
  outcome: 'RECORDED' | 'OUTDONE' | null;
}
