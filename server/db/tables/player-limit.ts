// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface PlayerLimitTable {
  id: GeneratedAlways<number>;
  version: Defaulted<number>;
  userId: number;
  kind: 'DEPOSIT' | 'LOSS';
  period: 'DAY' | 'WEEK' | 'MONTH';
  amount: string;
  nextAmount: string | null;
  nextTime: Moment | null;
  createTime: Defaulted<Moment>;
}
