// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface SignInFailureTable {
  kind: 'account' | 'address' | 'password' | 'code';
  subject: string;
  count: number;
  blockedUntil: Moment | null;
  updateTime: Defaulted<Moment>;
  address: string | null;
}
