// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted } from '../columns.ts';

export interface BetLatitudeTable {
  id: GeneratedAlways<number>;
  gameId: number;
  name: string;
  resultIndex: string;
  resultHandlerName: string;
  handlerOptions: string | null;
  version: Defaulted<number>;
}
