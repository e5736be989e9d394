// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface DrawVoidTable {
  gameId: number;
  phase: string;
  operatorId: number;
  userName: string;
  reason: string;
  createTime: Defaulted<Moment>;
}
