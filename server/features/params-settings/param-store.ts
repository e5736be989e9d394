import type { ParamSetting } from '#contract/params-settings.ts';
import type { Db } from '#server/db/database.ts';

/** All parameters, newest first. */
export async function listParamSettings(db: Db): Promise<ParamSetting[]> {
  return db.selectFrom('param_setting').selectAll().orderBy('id', 'desc').execute();
}
