// Made from the migrated database by `npm run schema`, never by hand.
import type { Json } from '../columns.ts';

export interface ListLayoutTable {
  operatorId: number;
  screen: string;
  layout: Json;
}
