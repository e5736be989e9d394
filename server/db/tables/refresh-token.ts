// Made from the migrated database by `npm run schema`, never by hand.
import type { Moment } from '../columns.ts';

export interface RefreshTokenTable {
  hash: Buffer;
  sessionId: string;
  expireTime: Moment;
  spendTime: Moment | null;
}
