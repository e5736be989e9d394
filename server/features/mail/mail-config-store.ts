import { sql } from 'kysely';
import type { MailConfig } from '#contract/mail-configs.ts';
import type { Db } from '#server/db/database.ts';
import { added, changed, type Row } from '#server/db/rows.ts';
import { findActiveMailConfig } from './active-config.ts';

/** The columns an operator fills in, without the password. */
export type MailConfigFields = Omit<MailConfig, 'id' | 'version' | 'password' | 'active'>;

const fields = [
  'host',
  'port',
  'username',
  'enableStarttls',
  'registerTemplate',
  'loginTemplate',
  'addReceiveAccountTemplate',
  'changeLoginPasswordTemplate',
  'changeSecondPasswordTemplate',
  'withdrawTemplate',
] as const;

/** Puts changes of which config is active in line, to the end of the transaction. */
export async function lockMailConfigs(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('mail_config', 0))`.execute(db);
}

/** All configs, newest first; a password shows as `******`. */
export async function listMailConfigs(db: Db): Promise<MailConfig[]> {
  const masked = sql<string | null>`case when password is not null then '******' end`.as('password');
  return db
    .selectFrom('mail_config')
    .select(['id', 'version', ...fields, 'active', masked])
    .orderBy('id', 'desc')
    .execute();
}

/** A config with its sealed password. */
export async function findMailConfig(db: Db, id: number) {
  return db.selectFrom('mail_config').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Adds a config; the first one is active from the start. */
export async function insertMailConfig(db: Db, config: MailConfigFields): Promise<number> {
  const first = (await findActiveMailConfig(db)) === undefined;
  return (await added(db, 'mail_config', { ...config, active: first })).id;
}

/** Makes this the active config. The caller holds the lock. */
export async function activateMailConfig(db: Db, id: number): Promise<Row<'mail_config'>> {
  const present = await findActiveMailConfig(db);
  // What is active already stays as it is, and so does its version.
  if (present && present.id !== id) await changed(db, 'mail_config', { id: present.id }, { active: false });
  return changed(db, 'mail_config', { id }, { active: true });
}
