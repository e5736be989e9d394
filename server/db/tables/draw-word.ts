// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface DrawWordTable {
  gameId: number;
  phase: string;
  source: string;
  result: string;
  openTime: Moment;
  createTime: Defaulted<Moment>;
  spiderId: number | null;
  address: string | null;
}
