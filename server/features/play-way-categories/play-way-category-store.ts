import type { PlayWayCategory } from '#contract/play-way-categories.ts';
import type { Db } from '#server/db/database.ts';

type CategoryRow = Omit<PlayWayCategory, 'subCategories'>;

interface CategoryFilter {
  gameId?: number | undefined;
  currentPage: number;
  pageSize: number;
}

/** A page of categories, the newest first, each with its sub-categories in the order they were added. */
export async function pagePlayWayCategories(db: Db, { gameId, currentPage, pageSize }: CategoryFilter) {
  let matching = db.selectFrom('play_way_category').where('parentCategoryId', 'is', null);
  if (gameId !== undefined) matching = matching.where('gameId', '=', gameId);
  const { totalCount } = await matching
    .select(({ fn }) => fn.countAll<number>().as('totalCount'))
    .executeTakeFirstOrThrow();
  const top = await matching
    .selectAll()
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((currentPage - 1) * pageSize)
    .execute();
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

/** Adds a category or sub-category; nothing when its siblings have the name. */
export async function insertPlayWayCategory(
  db: Db,
  category: Omit<CategoryRow, 'id'>,
): Promise<number | undefined> {
  const row = await db
    .insertInto('play_way_category')
    .values(category)
    .onConflict((conflict) => conflict.columns(['gameId', 'parentCategoryId', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Adds categories of which no two siblings share a name; gives the id of one by its parent and its name. */
export async function insertPlayWayCategories(
  db: Db,
  categories: readonly Omit<CategoryRow, 'id'>[],
): Promise<(parentCategoryId: number | null, name: string) => number | undefined> {
  const rows = await db
    .insertInto('play_way_category')
    .values(categories)
    .returning(['id', 'parentCategoryId', 'name'])
    .execute();
  const ids = new Map(rows.map(({ id, parentCategoryId, name }) => [`${parentCategoryId} ${name}`, id]));
  return (parentCategoryId, name) => ids.get(`${parentCategoryId} ${name}`);
}

/** Whether a sibling of this category has that name. */
export async function isSiblingNamed(db: Db, category: CategoryRow, name: string): Promise<boolean> {
  const other = db
    .selectFrom('play_way_category')
    .select('id')
    .where('gameId', '=', category.gameId)
    .where('parentCategoryId', 'is not distinct from', category.parentCategoryId)
    .where('name', '=', name)
    .where('id', '!=', category.id);
  return (await other.executeTakeFirst()) !== undefined;
}

export async function updatePlayWayCategory(
  db: Db,
  id: number,
  fields: Pick<CategoryRow, 'name' | 'countOfRows' | 'hideName'>,
): Promise<void> {
  await db.updateTable('play_way_category').set(fields).where('id', '=', id).execute();
}

/** Whether a category has sub-categories, or a sub-category play ways. */
export async function hasContent(db: Db, id: number): Promise<boolean> {
  const child = db.selectFrom('play_way_category').select('id').where('parentCategoryId', '=', id);
  const playWay = db.selectFrom('play_way').select('id').where('subCategoryId', '=', id);
  return (await child.unionAll(playWay).limit(1).executeTakeFirst()) !== undefined;
}

export async function deletePlayWayCategory(db: Db, id: number): Promise<void> {
  await db.deleteFrom('play_way_category').where('id', '=', id).execute();
}
