// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface OperatorTable {
  id: GeneratedAlways<number>;
  userName: string;
  userNo: GeneratedAlways<string | null>;
  passwordHash: string;
  googleSecret: Buffer | null;
  googleSteps: Defaulted<number[]>;
  createDate: Defaulted<Moment>;
  editDate: Defaulted<Moment>;
  checkedHash: string | null;
  version: Defaulted<number>;
  disabled: Defaulted<boolean>;
  passwordTemporary: Defaulted<boolean>;
  lastLoginTime: Moment | null;
  lastLoginAddress: string | null;
  email: string | null;
}
