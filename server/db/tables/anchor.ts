// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface AnchorTable {
  id: number;
  code: string;
  content: string;
  createTime: Defaulted<Moment>;
}
