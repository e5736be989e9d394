// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Json, Moment } from '../columns.ts';

export interface DrawCommitmentTable {
  gameId: number;
  phase: string;
  rules: Json;
  commitment: string;
  seed: Buffer;
  createTime: Defaulted<Moment>;
}
