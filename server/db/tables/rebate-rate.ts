// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted } from '../columns.ts';

export interface RebateRateTable {
  id: GeneratedAlways<number>;
  level: number;
  categoryId: number;
  rate: string;
  validFrom: string;
  version: Defaulted<number>;
}
