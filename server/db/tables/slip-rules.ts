// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Json, Moment } from '../columns.ts';

export interface SlipRulesTable {
  id: GeneratedAlways<number>;
  hash: Buffer;
  playWayId: number;
  playWayName: string;
  categoryName: string;
  subCategoryName: string;
  rules: Json;
  createTime: Defaulted<Moment>;
  cellSeparator: string | null;
  book: string | null;
  mayPush: Defaulted<boolean>;
  lineCap: string | null;
  fewDraws: Defaulted<boolean>;
}
