// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface BetLimitTable {
  id: GeneratedAlways<number>;
  version: Defaulted<number>;
  gameId: number | null;
  playWayId: number | null;
  minStake: string | null;
  maxStake: string | null;
  maxLineStake: string | null;
  maxUserStake: string | null;
  maxNumberPayout: string | null;
  maxLoss: string | null;
  payoutCapUnit: string | null;
  payoutCapLine: string | null;
  payoutCapSlip: string | null;
  payoutCapUser: string | null;
  createTime: Defaulted<Moment>;
}
