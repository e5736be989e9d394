// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface RoleTable {
  id: GeneratedAlways<number>;
  desc: string;
  name: string;
  createDate: Defaulted<Moment>;
  editDate: Defaulted<Moment>;
  version: Defaulted<number>;
}
