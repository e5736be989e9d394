// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface SessionTable {
  id: string;
  operatorId: number;
  address: string;
  createTime: Defaulted<Moment>;
  revokeTime: Moment | null;
  agent: Defaulted<string>;
  stepUpTime: Moment | null;
  trialRoleId: number | null;
  trialUntil: Moment | null;
}
