// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface AccountHistoryTable {
  id: GeneratedAlways<number>;
  userId: number;
  accountSeq: number;
  originAmount: string;
  amount: string;
  newAmount: string;
  direction: string;
  changeType: string;
  bizOrderNo: string | null;
  desc: string | null;
  createTime: Defaulted<Moment>;
  hash: Buffer;
}
