// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface DrawAlarmTable {
  gameId: number;
  phase: string;
  reason: string;
  failures: Defaulted<number>;
  createTime: Moment;
  lastTime: Moment;
  nextTime: Moment;
}
