import { sql } from 'kysely';
import type { MailConfig } from '#contract/mail-configs.ts';
import type { Db } from '#server/db/database.ts';

/** The columns an operator fills in, without the password. */
export type MailConfigFields = Omit<MailConfig, 'id' | 'password' | 'active'>;

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
    .select(['id', ...fields, 'active', masked])
    .orderBy('id', 'desc')
    .execute();
}

const whole = ['id', ...fields, 'active', 'password'] as const;

/** A config with its sealed password. */
export async function findMailConfig(db: Db, id: number) {
  return db.selectFrom('mail_config').select(whole).where('id', '=', id).executeTakeFirst();
}

/** The config that mails leave by; nothing while there is none at all. */
export async function findActiveMailConfig(db: Db) {
  return db.selectFrom('mail_config').select(whole).where('active', '=', true).executeTakeFirst();
}

/** Adds a config; the first one is active from the start. */
export async function insertMailConfig(db: Db, config: MailConfigFields): Promise<number> {
  const first = sql<boolean>`not exists (select from mail_config)`;
  const row = db.insertInto('mail_config').values({ ...config, password: null, active: first });
  return (await row.returning('id').executeTakeFirstOrThrow()).id;
}

export async function updateMailConfig(db: Db, id: number, config: MailConfigFields): Promise<void> {
  await db.updateTable('mail_config').set(config).where('id', '=', id).execute();
}

export async function setMailPassword(db: Db, id: number, password: Buffer | null): Promise<void> {
  await db.updateTable('mail_config').set({ password }).where('id', '=', id).execute();
}

/** Makes this the active config. The caller holds the lock. */
export async function activateMailConfig(db: Db, id: number): Promise<void> {
  await db.updateTable('mail_config').set({ active: false }).where('active', '=', true).execute();
  await db.updateTable('mail_config').set({ active: true }).where('id', '=', id).execute();
}

export async function deleteMailConfig(db: Db, id: number): Promise<void> {
  await db.deleteFrom('mail_config').where('id', '=', id).execute();
}
