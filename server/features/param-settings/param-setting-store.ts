import type { Db } from '#server/db/database.ts';
import { isKnownParam } from '#server/params/known-params.ts';

/** All parameters, the newest first; those that the system reads say so. */
export async function listParamSettings(db: Db) {
  const rows = await db.selectFrom('param_setting').selectAll().orderBy('id', 'desc').execute();
  return rows.map((row) => ({ ...row, system: isKnownParam(row.key) }));
}
