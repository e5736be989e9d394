import { sql } from 'kysely';
import type { GameCategory } from '#contract/game-categories.ts';
import type { Db } from '#server/db/database.ts';
import { containing } from '#server/db/search.ts';

interface CategoryFilter {
  name?: string | undefined;
  currentPage: number;
  pageSize: number;
}

/** A page of categories by `index`, then the older first. */
export async function pageGameCategories(db: Db, { name, currentPage, pageSize }: CategoryFilter) {
  let matching = db.selectFrom('game_category');
  if (name) matching = matching.where('name', 'ilike', containing(name));
  const { totalCount } = await matching
    .select(({ fn }) => fn.countAll<number>().as('totalCount'))
    .executeTakeFirstOrThrow();
  const data = await matching
    .selectAll()
    .orderBy('index')
    .orderBy('id')
    .limit(pageSize)
    .offset((currentPage - 1) * pageSize)
    .execute();
  return { totalCount, data };
}

export async function findGameCategory(db: Db, id: number): Promise<GameCategory | undefined> {
  return db.selectFrom('game_category').selectAll().where('id', '=', id).executeTakeFirst();
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

/** Adds a category; nothing when the name is taken. */
export async function insertGameCategory(
  db: Db,
  category: Omit<GameCategory, 'id'>,
): Promise<number | undefined> {
  const row = await db
    .insertInto('game_category')
    .values(category)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function updateGameCategory(db: Db, { id, ...category }: GameCategory): Promise<void> {
  await db.updateTable('game_category').set(category).where('id', '=', id).execute();
}

/** Whether any game is filed under a category. */
export async function hasGames(db: Db, id: number): Promise<boolean> {
  const first = db.selectFrom('game').select('id').where('categoryId', '=', id).limit(1);
  return (await first.executeTakeFirst()) !== undefined;
}

export async function deleteGameCategory(db: Db, id: number): Promise<void> {
  await db.deleteFrom('game_category').where('id', '=', id).execute();
}
