// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Json, Moment } from '../columns.ts';

export interface GameTable {
  id: GeneratedAlways<number>;
  name: string;
  categoryId: number;
  phase: string;
  phaseTime: Defaulted<Moment>;
  phaseRule: Defaulted<'RUNNING' | 'DAILY' | 'YEARLY'>;
  openRate: number;
  stopBetSecond: number;
  introduce: string | null;
  status: Defaulted<boolean>;
  betStatus: Defaulted<boolean>;
  version: Defaulted<number>;
  resultRule: Json | null;
  agreeSources: Defaulted<number>;
}
