import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { pageGameCategories as asked, GameCategory } from '#contract/game-categories.ts';
import type { Db } from '#server/db/database.ts';
import { orderOfFew } from '#server/db/list-order.ts';
import { page } from '#server/db/page.ts';
import { contains, where } from '#server/db/where.ts';

type CategoryFilter = Input<typeof asked>;

/** A page of categories by `index`, then the older first. */
export function pageGameCategories(db: Db, filter: CategoryFilter) {
  const categories = db
    .selectFrom('game_category')
    .selectAll()
    .where(where(filter, { name: contains }));
  return page(db, categories, filter, orderOfFew(filter.sort, { own: sql`index, id`, words: ['name'] }));
}

export async function findGameCategoryByName(db: Db, name: string): Promise<GameCategory | undefined> {
  return db.selectFrom('game_category').selectAll().where('name', '=', name).executeTakeFirst();
}

/** The index of the last category; 0 without any. */
export async function lastIndex(db: Db): Promise<number> {
  const { last } = await db
    .selectFrom('game_category')
    .select(({ fn }) => fn.max<number | null>('index').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** Until the transaction ends nobody else adds or changes a category. */
export async function lockCategories(db: Db): Promise<void> {
  await sql`lock table game_category in share row exclusive mode`.execute(db);
}
