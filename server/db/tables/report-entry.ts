// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface ReportEntryTable {
  id: GeneratedAlways<number>;
  kind: 'MOVED' | 'REBATE' | 'WRITTEN_OFF';
  day: string;
  userId: number;
  gameId: Defaulted<number>;
  playWayId: Defaulted<number>;
  agents: number[];
  lineId: number | null;
  debtId: number | null;
  payout: Defaulted<string>;
  refund: Defaulted<string>;
  rebate: Defaulted<string>;
  writtenOff: Defaulted<string>;
  unsettled: Defaulted<string>;
  createTime: Defaulted<Moment>;
}
