// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface WithdrawalTable {
  id: GeneratedAlways<number>;
  userId: number;
  amount: string;
  usdtAmount: string | null;
  bankOrderNo: string | null;
  fromName: string | null;
  fromAccountNo: string | null;
  type: 'BANK_TRANSFER' | 'USDT_TRANSFER' | 'THIRD_PARTY' | null;
  receiveAccountNo: string;
  receiveRealName: string | null;
  receiveAlias: string | null;
  status: Defaulted<'SUCCESS' | 'FAIL' | 'PROCESSING'>;
  createTime: Defaulted<Moment>;
  successTime: Moment | null;
  reviewer: string | null;
  reviewTime: Moment | null;
  remark: string | null;
  takenBy: number | null;
  takenIn: string | null;
  takenUntil: Moment | null;
}
