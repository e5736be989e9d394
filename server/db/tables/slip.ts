// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Json, Moment } from '../columns.ts';

export interface SlipTable {
  id: GeneratedAlways<number>;
  bizNo: string;
  userId: number;
  gameId: number;
  planId: number;
  phase: string;
  drawTime: Moment;
  status: Defaulted<'PENDING' | 'HELD' | 'WON' | 'LOST' | 'PUSHED' | 'CANCELLED' | 'VOID'>;
  stake: string;
  payout: Defaulted<string>;
  refund: Defaulted<string>;
  acceptOdds: 'SAME' | 'BETTER' | 'ANY';
  agents: Defaulted<Json>;
  testAccount: boolean;
  contentHash: Buffer;
  createTime: Moment;
  settleTime: Moment | null;
  cancelledBy: string | null;
  cancelReason: string | null;
  day: string;
}
