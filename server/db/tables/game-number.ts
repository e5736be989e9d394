// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted } from '../columns.ts';

export interface GameNumberTable {
  id: GeneratedAlways<number>;
  gameId: number;
  number: string;
  desc: string | null;
  version: Defaulted<number>;
}
