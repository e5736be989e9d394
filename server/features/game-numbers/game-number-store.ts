import { sql } from 'kysely';
import type { GameNumber } from '#contract/game-numbers.ts';
import type { Paging } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { newestPage } from '#server/db/newest-page.ts';

/** A number as it is put in. */
export interface NumberFields {
  number: string;
  desc?: string | null | undefined;
}

interface NumberFilter extends Paging {
  gameId?: number | undefined;
}

/** A page of numbers, the newest first, and how many match in all. */
export async function pageGameNumbers(db: Db, { gameId, ...page }: NumberFilter) {
  let matching = db.selectFrom('game_number');
  if (gameId !== undefined) matching = matching.where('gameId', '=', gameId);
  return newestPage(matching, page);
}

/** The numbers of a game in the order they were added: the order of a betting page. */
export async function listGameNumbers(db: Db, gameId: number): Promise<GameNumber[]> {
  return db.selectFrom('game_number').selectAll().where('gameId', '=', gameId).orderBy('id').execute();
}

export async function findGameNumber(db: Db, id: number): Promise<GameNumber | undefined> {
  return db.selectFrom('game_number').selectAll().where('id', '=', id).executeTakeFirst();
}

/** These numbers, whatever game they belong to. */
export async function findGameNumbers(db: Db, ids: readonly number[]): Promise<GameNumber[]> {
  return db.selectFrom('game_number').selectAll().where('id', 'in', ids).execute();
}

/** Adds a number; nothing when the game has it. */
export async function insertGameNumber(
  db: Db,
  gameId: number,
  { number, desc = null }: NumberFields,
): Promise<number | undefined> {
  const row = await db
    .insertInto('game_number')
    .values({ gameId, number, desc })
    .onConflict((conflict) => conflict.columns(['gameId', 'number']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Whether the game of this number has another of that text. */
export async function isNumberTaken(db: Db, { id, gameId, number }: Omit<GameNumber, 'desc'>) {
  const other = db
    .selectFrom('game_number')
    .select('id')
    .where('gameId', '=', gameId)
    .where('number', '=', number)
    .where('id', '!=', id);
  return (await other.executeTakeFirst()) !== undefined;
}

export async function updateGameNumber(
  db: Db,
  id: number,
  { number, desc = null }: NumberFields,
): Promise<void> {
  await db.updateTable('game_number').set({ number, desc }).where('id', '=', id).execute();
}

/** Those of these numbers that have odds, or that a play way lets players choose. */
export async function numbersWithOdds(db: Db, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('game_number')
    .select('number')
    .where('id', 'in', ids)
    .where(({ exists, selectFrom, or }) =>
      or([
        exists(selectFrom('odds').select('odds.id').whereRef('odds.numberId', '=', 'game_number.id')),
        sql<boolean>`exists (select from play_way p where p."gameId" = game_number."gameId"
          and jsonb_path_exists(p.selection, '$.** ? (@ == $n)', jsonb_build_object('n', game_number.number)))`,
      ]),
    )
    .orderBy('id')
    .execute();
  return rows.map((row) => row.number);
}

export async function deleteGameNumbers(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('game_number').where('id', 'in', ids).execute();
}
