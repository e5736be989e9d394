import type { ParamSetting } from '#contract/params-settings.ts';
import type { Db } from '#server/db/database.ts';

type ParamFields = Omit<ParamSetting, 'id'>;

/** All parameters, newest first. */
export async function listParams(db: Db): Promise<ParamSetting[]> {
  return db.selectFrom('param_setting').selectAll().orderBy('id', 'desc').execute();
}

/** Takes the row's lock: a check of the value and the change of it are one. */
export async function lockParam(db: Db, id: number): Promise<ParamSetting | undefined> {
  return db.selectFrom('param_setting').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** The stored text of a parameter; nothing when there is no such row. */
export async function findParamValue(db: Db, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('param_setting').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value;
}

/** Adds a parameter; nothing when its key is taken. */
export async function insertParam(db: Db, fields: ParamFields): Promise<number | undefined> {
  const row = await db
    .insertInto('param_setting')
    .values(fields)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function isKeyTaken(db: Db, key: string, exceptId: number): Promise<boolean> {
  const other = db
    .selectFrom('param_setting')
    .select('id')
    .where('key', '=', key)
    .where('id', '!=', exceptId);
  return (await other.executeTakeFirst()) !== undefined;
}

export async function updateParam(db: Db, { id, ...fields }: ParamSetting): Promise<void> {
  await db.updateTable('param_setting').set(fields).where('id', '=', id).execute();
}

export async function deleteParam(db: Db, id: number): Promise<void> {
  await db.deleteFrom('param_setting').where('id', '=', id).execute();
}
