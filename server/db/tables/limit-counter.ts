// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted } from '../columns.ts';

export interface LimitCounterTable {
  gameId: number;
  phase: string;
  kind: 'USER' | 'NUMBER' | 'CELL' | 'BOOK' | 'LOSS';
  scope: string;
  owner: number;
  number: string;
  taken: string;
  worst: Defaulted<string>;
  isFloored: Defaulted<boolean>;
  bound: GeneratedAlways<string>;
  boundBefore: Defaulted<string>;
}
