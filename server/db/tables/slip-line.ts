// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Json } from '../columns.ts';

export interface SlipLineTable {
  id: GeneratedAlways<number>;
  slipId: number;
  playWayId: number;
  rulesId: number;
  selection: string;
  units: number;
  unitStake: string;
  stake: string;
  odds: Json;
  maxPayout: string;
  status: Defaulted<'PENDING' | 'HELD' | 'WON' | 'LOST' | 'PUSHED' | 'CANCELLED' | 'VOID'>;
  winningUnits: Defaulted<number>;
  pushedUnits: Defaulted<number>;
  payout: Defaulted<string>;
  refund: Defaulted<string>;
}
