// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface SlipHoldTable {
  slipId: number;
  settlementId: number;
  reason: 'UNREADABLE' | 'UNPOSTED' | 'BIG_WIN';
  problem: string;
  payout: string | null;
  released: Defaulted<boolean>;
  failures: Defaulted<number>;
  nextTime: Moment | null;
  createTime: Defaulted<Moment>;
}
