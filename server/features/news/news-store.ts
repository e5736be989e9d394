import type { News } from '#contract/news.ts';
import type { Paging } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { newestPage } from '#server/db/newest-page.ts';

type NewsFields = Omit<News, 'id' | 'createTime'>;

interface NewsFilter extends Paging {
  categoryId?: number | undefined;
}

/** A page of news, the newest first, and how many match in all. */
export async function pageNews(db: Db, { categoryId, ...page }: NewsFilter) {
  let matching = db.selectFrom('news');
  if (categoryId !== undefined) matching = matching.where('categoryId', '=', categoryId);
  return newestPage(matching, page);
}

export async function findNews(db: Db, id: number): Promise<News | undefined> {
  return db.selectFrom('news').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether a category has any news. */
export async function hasNews(db: Db, categoryId: number): Promise<boolean> {
  const first = db.selectFrom('news').select('id').where('categoryId', '=', categoryId).limit(1);
  return (await first.executeTakeFirst()) !== undefined;
}

export async function insertNews(db: Db, fields: NewsFields): Promise<number> {
  const { id } = await db.insertInto('news').values(fields).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateNews(db: Db, id: number, fields: NewsFields): Promise<void> {
  await db.updateTable('news').set(fields).where('id', '=', id).execute();
}

export async function deleteNews(db: Db, id: number): Promise<void> {
  await db.deleteFrom('news').where('id', '=', id).execute();
}
