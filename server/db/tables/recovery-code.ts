// Made from the migrated database by `npm run schema`, never by hand.
import type { Moment } from '../columns.ts';

export interface RecoveryCodeTable {
  operatorId: number;
  hash: Buffer;
  spendTime: Moment | null;
}
