import type { Paging } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { newestPage } from '#server/db/newest-page.ts';

interface NewsFilter extends Paging {
  categoryId?: number | undefined;
}

/** A page of news, the newest first, and how many match in all. */
export async function pageNews(db: Db, { categoryId, ...page }: NewsFilter) {
  let matching = db.selectFrom('news');
  if (categoryId !== undefined) matching = matching.where('categoryId', '=', categoryId);
  return newestPage(matching, page);
}
