import type { NewsCategory } from '#contract/news-categories.ts';
import type { Db } from '#server/db/database.ts';

/** All categories, newest first. */
export async function listNewsCategories(db: Db): Promise<NewsCategory[]> {
  return db.selectFrom('news_category').selectAll().orderBy('id', 'desc').execute();
}
