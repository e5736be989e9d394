// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface ChatSessionTable {
  id: GeneratedAlways<number>;
  operatorId: number;
  userId: number;
  phone: string | null;
  clientId: string | null;
  authState: string | null;
  detail: string | null;
  lastActivityTime: Moment | null;
  databaseKey: Buffer | null;
  running: Defaulted<boolean>;
  place: string | null;
  holder: string | null;
  holderKey: Buffer | null;
  leaseTime: Moment | null;
  createTime: Defaulted<Moment>;
}
