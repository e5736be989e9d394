// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface MailOutboxTable {
  id: GeneratedAlways<number>;
  template: string;
  to: string;
  content: Buffer | null;
  status: Defaulted<'PENDING' | 'SENDING' | 'SENT' | 'FAILED'>;
  attempts: Defaulted<number>;
  lastError: string | null;
  createTime: Defaulted<Moment>;
  nextTime: Defaulted<Moment | null>;
  sentTime: Moment | null;
}
