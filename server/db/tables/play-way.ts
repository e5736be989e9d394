// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Json } from '../columns.ts';

export interface PlayWayTable {
  id: GeneratedAlways<number>;
  gameId: number;
  subCategoryId: number;
  betLatitudeId: number;
  name: string;
  showRate: string | null;
  version: Defaulted<number>;
  selection: Json | null;
  oddsFrom: Defaulted<'NUMBER' | 'OUTCOME' | 'LOWEST'>;
  outcomes: Defaulted<Json>;
  stopped: Defaulted<boolean>;
}
