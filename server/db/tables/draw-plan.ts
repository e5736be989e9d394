// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface DrawPlanTable {
  id: GeneratedAlways<number>;
  gameId: number;
  phase: string;
  startTime: Moment;
  endTime: Moment;
  status: Defaulted<'WAITTING' | 'OPENING' | 'OPENED' | 'VOID'>;
  commitment: string | null;
  lateTime: Moment | null;
  unawaitedReason: string | null;
}
