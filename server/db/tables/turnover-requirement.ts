// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Moment } from '../columns.ts';

export interface TurnoverRequirementTable {
  id: GeneratedAlways<number>;
  userId: number;
  historyId: number;
  kind: 'RECHARGE' | 'RECHARGE_GIVE';
  amount: string;
  times: string;
  required: string;
  createTime: Moment;
  doneTime: Moment | null;
}
