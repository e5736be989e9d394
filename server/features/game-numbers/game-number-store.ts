import { sql } from 'kysely';
import type { GameNumber } from '#contract/game-numbers.ts';
import type { Db } from '#server/db/database.ts';

/** The numbers of a game in the order they were added: the order of a betting page. */
export async function listGameNumbersByGame(db: Db, gameId: number): Promise<GameNumber[]> {
  return db.selectFrom('game_number').selectAll().where('gameId', '=', gameId).orderBy('id').execute();
}

/** These numbers, whatever game they belong to. */
export async function findGameNumbers(db: Db, ids: readonly number[]): Promise<GameNumber[]> {
  return db.selectFrom('game_number').selectAll().where('id', 'in', ids).execute();
}

/** Until the transaction ends nobody renames or removes these numbers of a game. */
export async function holdGameNumbers(db: Db, gameId: number, numbers: readonly string[]): Promise<void> {
  await sql`
    select from game_number where "gameId" = ${gameId} and number = any(${[...numbers]}) order by id for share`.execute(
    db,
  );
}

/** What holds a number: a play way that lets players choose it, by its name; else odds. */
interface Held {
  readonly number: string;
  readonly playWay: string | null;
}

/** Those of these numbers that have odds, or that a play way lets players choose. */
export async function heldNumbers(db: Db, ids: readonly number[]): Promise<Held[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Held>`
    select n.number, p.name as "playWay" from game_number n left join lateral (
      select name from play_way p where p."gameId" = n."gameId"
        and jsonb_path_exists(p.selection, '$.**.of[*] ? (@ == $n || @[*] == $n)', jsonb_build_object('n', n.number))
      order by id limit 1
    ) p on true
    where n.id = any(${[...ids]}) and (p.name is not null or exists (select from odds o where o."numberId" = n.id))
    order by n.id`.execute(db);
  return rows;
}

/** A held number as a refusal names it. */
export const heldName = ({ number, playWay }: Held): string =>
  playWay === null ? `号码 ${number} ` : `玩法“${playWay}”的可选号码 ${number} `;
