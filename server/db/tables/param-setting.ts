// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted } from '../columns.ts';

export interface ParamSettingTable {
  id: GeneratedAlways<number>;
  title: string;
  key: string;
  value: string;
  version: Defaulted<number>;
}
