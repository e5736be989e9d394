// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface DrawCorrectionTable {
  id: GeneratedAlways<number>;
  recordId: number;
  operatorId: number;
  userName: string;
  oldResult: string;
  newResult: string;
  reason: string;
  createTime: Defaulted<Moment>;
  oldSource: string | null;
  newSource: string | null;
}
