// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted } from '../columns.ts';

export interface AgentRateTable {
  id: GeneratedAlways<number>;
  agentId: number;
  validFrom: string;
  rate: string;
  version: Defaulted<number>;
}
