import type { Db } from '#server/db/database.ts';

/** Gives these numbers of a play way the same odds. A number that has odds already keeps them and is left out of the count. */
export async function insertOdds(
  db: Db,
  { playWayId, numberIds, odds }: { playWayId: number; numberIds: readonly number[]; odds: string },
): Promise<number[]> {
  const rows = await db
    .insertInto('odds')
    .values(numberIds.map((numberId) => ({ playWayId, numberId, odds })))
    .onConflict((conflict) => conflict.columns(['playWayId', 'numberId']).doNothing())
    .returning('numberId')
    .execute();
  return rows.map((row) => row.numberId);
}

export async function findOdds(db: Db, id: number) {
  return db.selectFrom('odds').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function deleteOdds(db: Db, id: number): Promise<void> {
  await db.deleteFrom('odds').where('id', '=', id).execute();
}
