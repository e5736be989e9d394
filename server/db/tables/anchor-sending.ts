// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface AnchorSendingTable {
  anchorNo: number;
  way: 'MAIL' | 'WEBHOOK';
  attempts: Defaulted<number>;
  lastError: string | null;
  nextTime: Defaulted<Moment | null>;
  sentTime: Moment | null;
}
