// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface IdempotencyKeyTable {
  operatorId: number;
  key: string;
  requestHash: Buffer;
  status: number | null;
  answer: Buffer | null;
  createTime: Defaulted<Moment>;
  claim: string | null;
}
