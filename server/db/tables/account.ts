// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface AccountTable {
  id: GeneratedAlways<number>;
  userId: number;
  totalAmount: Defaulted<string>;
  availableAmount: Defaulted<string>;
  freezeAmount: Defaulted<string>;
  lastSeq: Defaulted<number>;
  lastHash: Defaulted<Buffer>;
  createTime: Defaulted<Moment>;
  debt: Defaulted<string>;
  debtSeq: Defaulted<number>;
  debtHash: Defaulted<Buffer>;
}
