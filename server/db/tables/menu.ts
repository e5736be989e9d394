// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface MenuTable {
  id: GeneratedAlways<number>;
  title: string;
  type: 'FOLDER' | 'MENU' | 'BTN';
  iconClass: string | null;
  path: string | null;
  urlExpression: string | null;
  index: Defaulted<number>;
  parentId: number | null;
  createDate: Defaulted<Moment>;
  editDate: Defaulted<Moment>;
  version: Defaulted<number>;
}
