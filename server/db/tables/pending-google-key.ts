// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface PendingGoogleKeyTable {
  operatorId: number;
  secret: Buffer;
  createTime: Defaulted<Moment>;
}
