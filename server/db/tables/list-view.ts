// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';

export interface ListViewTable {
  id: GeneratedAlways<number>;
  operatorId: number;
  roleId: number | null;
  screen: string;
  name: string;
  address: string;
}
