// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface DrawBeaconTable {
  gameId: number;
  phase: string;
  value: string;
  createTime: Defaulted<Moment>;
}
