import type { Db } from '#server/db/database.ts';

/** What the seed last put in under a key; nothing when it never did. */
export async function findSeedValue(db: Db, key: string): Promise<string | undefined> {
  return (await db.selectFrom('seed_row').select('value').where('key', '=', key).executeTakeFirst())?.value;
}

/** Remembers that the seed put this in. */
export async function rememberSeed(db: Db, key: string, value: string): Promise<void> {
  const row = db.insertInto('seed_row').values({ key, value });
  await row.onConflict((conflict) => conflict.column('key').doUpdateSet({ value })).execute();
}
