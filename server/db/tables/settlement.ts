// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface SettlementTable {
  id: GeneratedAlways<number>;
  gameId: number;
  phase: string;
  kind: 'FIRST' | 'CORRECTION' | 'VOID' | 'UNVOID';
  status: Defaulted<'RUNNING' | 'HELD' | 'DONE'>;
  stopped: Defaulted<boolean>;
  recordId: number | null;
  result: string | null;
  local: Defaulted<boolean>;
  playWayId: number | null;
  createTimeFrom: Moment | null;
  createTimeTo: Moment | null;
  slipId: number | null;
  undoes: number | null;
  operatorId: number | null;
  userName: string | null;
  reason: string | null;
  total: Defaulted<number>;
  slips: Defaulted<number>;
  stake: Defaulted<string>;
  payout: Defaulted<string>;
  refund: Defaulted<string>;
  startTime: Defaulted<Moment>;
  gatheredTime: Moment | null;
  endTime: Moment | null;
  problem: string | null;
  days: string[] | null;
}
