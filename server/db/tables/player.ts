// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface PlayerTable {
  id: GeneratedAlways<number>;
  username: string | null;
  realName: string | null;
  nickName: string;
  agentId: number | null;
  level: Defaulted<number>;
  phone: string | null;
  parentId: number | null;
  email: string | null;
  createTime: Defaulted<Moment>;
  testAccount: Defaulted<boolean>;
  frozen: Defaulted<boolean>;
  freezeReason: string | null;
  excludedUntil: Moment | null;
  version: Defaulted<number>;
}
