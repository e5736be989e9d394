import type { ParamSetting } from '#contract/params-settings.ts';
import type { Db } from '#server/db/database.ts';

/** All parameters, newest first. */
export async function listParams(db: Db): Promise<ParamSetting[]> {
  return db.selectFrom('param_setting').selectAll().orderBy('id', 'desc').execute();
}

/** The stored text of a parameter; nothing when there is no such row. */
export async function findParamValue(db: Db, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('param_setting').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value;
}
