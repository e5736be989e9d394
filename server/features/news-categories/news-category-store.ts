import type { NewsCategory } from '#contract/news-categories.ts';
import type { Db } from '#server/db/database.ts';

/** All categories, newest first. */
export async function listNewsCategories(db: Db): Promise<NewsCategory[]> {
  return db.selectFrom('news_category').selectAll().orderBy('id', 'desc').execute();
}

export async function findNewsCategory(db: Db, id: number): Promise<NewsCategory | undefined> {
  return db.selectFrom('news_category').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Adds a category; nothing when the name is taken. */
export async function insertNewsCategory(db: Db, name: string): Promise<number | undefined> {
  const row = await db
    .insertInto('news_category')
    .values({ name })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function isNewsCategoryNameTaken(db: Db, name: string, exceptId: number): Promise<boolean> {
  const other = db
    .selectFrom('news_category')
    .select('id')
    .where('name', '=', name)
    .where('id', '!=', exceptId);
  return (await other.executeTakeFirst()) !== undefined;
}

export async function updateNewsCategory(db: Db, { id, name }: NewsCategory): Promise<void> {
  await db.updateTable('news_category').set({ name }).where('id', '=', id).execute();
}

export async function deleteNewsCategory(db: Db, id: number): Promise<void> {
  await db.deleteFrom('news_category').where('id', '=', id).execute();
}
