// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface GameCatalogueTable {
  gameId: number;
  version: Defaulted<number>;
  limitsTime: Moment | null;
}
