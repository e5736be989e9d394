import type { Db } from '#server/db/database.ts';

/** The config that mails leave by, with its sealed password; nothing while there is none at all. */
export const findActiveMailConfig = (db: Db) =>
  db.selectFrom('mail_config').selectAll().where('active', '=', true).executeTakeFirst();
