import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { pageGameNumbers as asked, GameNumber } from '#contract/game-numbers.ts';
import type { Db } from '#server/db/database.ts';
import { newestPage } from '#server/db/newest-page.ts';

type NumberFilter = Input<typeof asked>;

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

/** These numbers, whatever game they belong to. */
export async function findGameNumbers(db: Db, ids: readonly number[]): Promise<GameNumber[]> {
  return db.selectFrom('game_number').selectAll().where('id', 'in', ids).execute();
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
