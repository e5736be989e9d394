// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface AgentTable {
  id: Defaulted<number>;
  name: string;
  parentId: number | null;
  userId: number;
  createTime: Defaulted<Moment>;
  version: Defaulted<number>;
}
