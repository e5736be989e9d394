// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted } from '../columns.ts';

export interface MailConfigTable {
  id: GeneratedAlways<number>;
  host: string;
  port: number;
  username: string | null;
  password: Buffer | null;
  enableStarttls: Defaulted<boolean>;
  active: Defaulted<boolean>;
  registerTemplate: string | null;
  loginTemplate: string | null;
  addReceiveAccountTemplate: string | null;
  changeLoginPasswordTemplate: string | null;
  changeSecondPasswordTemplate: string | null;
  withdrawTemplate: string | null;
  version: Defaulted<number>;
}
