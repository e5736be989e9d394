// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface SchemaMigrationTable {
  name: string;
  checksum: string;
  applyTime: Defaulted<Moment>;
}
