import type { Input } from '#contract/endpoint.ts';
import type { pageNews as asked } from '#contract/news.ts';
import type { Db } from '#server/db/database.ts';
import { newestPage } from '#server/db/newest-page.ts';

type NewsFilter = Input<typeof asked>;

/** A page of news, the newest first, and how many match in all. */
export async function pageNews(db: Db, { categoryId, ...page }: NewsFilter) {
  let matching = db.selectFrom('news');
  if (categoryId !== undefined) matching = matching.where('categoryId', '=', categoryId);
  return newestPage(matching, page);
}
