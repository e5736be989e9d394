// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface SpiderTable {
  id: GeneratedAlways<number>;
  gameId: number;
  name: string;
  url: string | null;
  spiderServiceName: string;
  options: string | null;
  remark: string | null;
  enabled: Defaulted<boolean>;
  lastRunTime: Moment | null;
  lastSuccessTime: Moment | null;
  lastError: string | null;
  consecutiveFailures: Defaulted<number>;
  nextRunTime: Defaulted<Moment>;
  headers: string | null;
  pauseMs: Defaulted<number>;
  host: GeneratedAlways<string | null>;
  askedTime: Moment | null;
  answering: Defaulted<boolean>;
  version: Defaulted<number>;
}
