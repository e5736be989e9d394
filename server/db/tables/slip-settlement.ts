// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface SlipSettlementTable {
  slipId: number;
  n: number;
  settlementId: number;
  status: 'PENDING' | 'WON' | 'LOST' | 'PUSHED' | 'VOID';
  payout: string;
  refund: string;
  movedPayout: string;
  movedRefund: string;
  createTime: Defaulted<Moment>;
  id: GeneratedAlways<number>;
}
