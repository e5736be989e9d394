// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted } from '../columns.ts';

export interface SecretCanaryTable {
  singleton: Defaulted<boolean>;
  sealed: Buffer | null;
}
