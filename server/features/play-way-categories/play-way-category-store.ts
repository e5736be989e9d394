import type { Input } from '#contract/endpoint.ts';
import type { pagePlayWayCategories as asked, PlayWayCategory } from '#contract/play-way-categories.ts';
import type { Db } from '#server/db/database.ts';
import { orderOfFew } from '#server/db/list-order.ts';
import { page } from '#server/db/page.ts';
import { equals, where } from '#server/db/where.ts';

type CategoryRow = Omit<PlayWayCategory, 'subCategories'>;

type CategoryFilter = Input<typeof asked>;

/** A page of categories, the newest first, each with its sub-categories in the order they were added. */
export async function pagePlayWayCategories(db: Db, filter: CategoryFilter) {
  const matching = db
    .selectFrom('play_way_category')
    .selectAll()
    .where('parentCategoryId', 'is', null)
    .where(where(filter, { gameId: equals }));
  const { totalCount, data: top } = await page(
    db,
    matching,
    filter,
    orderOfFew(filter.sort, { words: ['name'] }),
  );
  const subCategories = await listSubCategories(
    db,
    top.map(({ id }) => id),
  );
  const data = top.map((row) => ({ ...row, subCategories: subCategories.get(row.id) ?? [] }));
  return { totalCount, data };
}

async function listSubCategories(db: Db, parents: readonly number[]) {
  if (parents.length === 0) return new Map<number | null, PlayWayCategory[]>();
  const rows = await db
    .selectFrom('play_way_category')
    .selectAll()
    .where('parentCategoryId', 'in', parents)
    .orderBy('id')
    .execute();
  const leaves = rows.map((row) => ({ ...row, subCategories: [] }));
  return Map.groupBy(leaves, (row) => row.parentCategoryId);
}

/** A category or sub-category. */
export async function findPlayWayCategory(db: Db, id: number): Promise<CategoryRow | undefined> {
  return db.selectFrom('play_way_category').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether a category has sub-categories, or a sub-category play ways. */
export async function hasContent(db: Db, id: number): Promise<boolean> {
  const child = db.selectFrom('play_way_category').select('id').where('parentCategoryId', '=', id);
  const playWay = db.selectFrom('play_way').select('id').where('subCategoryId', '=', id);
  return (await child.unionAll(playWay).limit(1).executeTakeFirst()) !== undefined;
}
