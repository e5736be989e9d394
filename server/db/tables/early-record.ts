// Made from the migrated database by `npm run schema`, never by hand.
import type { Json, Moment } from '../columns.ts';

export interface EarlyRecordTable {
  gameId: number;
  phase: string;
  recordId: number;
  result: string;
  openTime: Moment;
  createTime: Moment;
  source: string | null;
  claims: Json;
}
