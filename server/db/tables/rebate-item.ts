// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface RebateItemTable {
  runDay: string;
  userId: number;
  kind: 'REBATE' | 'RETURN' | 'INVITE_REWARD';
  due: string;
  carried: Defaulted<string>;
  amount: string;
  rest: Defaulted<string>;
  postTime: Moment | null;
  problem: string | null;
  nextTime: Moment | null;
  testAccount: Defaulted<boolean>;
}
