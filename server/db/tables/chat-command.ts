// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Json, Moment } from '../columns.ts';

export interface ChatCommandTable {
  id: GeneratedAlways<number>;
  sessionId: number;
  holder: string;
  sealed: Buffer | null;
  answer: Json | null;
  createTime: Defaulted<Moment>;
}
