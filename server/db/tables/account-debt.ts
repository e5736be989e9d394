// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Moment } from '../columns.ts';

export interface AccountDebtTable {
  id: GeneratedAlways<number>;
  userId: number;
  debtSeq: number;
  kind: 'OWED' | 'REPAID' | 'WRITTEN_OFF';
  originDebt: string;
  amount: string;
  newDebt: string;
  accountSeq: number | null;
  changeType: 'WIN_REVERSAL' | 'REFUND_REVERSAL' | 'DEBT_REPAYMENT' | 'DEBT_WRITE_OFF';
  bizOrderNo: string | null;
  createTime: Moment;
  hash: Buffer;
}
