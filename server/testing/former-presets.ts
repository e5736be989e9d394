import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** Presets as programs of the past put them in: every number, also a combination, is a row of odds. */
export type Generation = 'first' | 'second' | 'third' | 'fourth';

type Odds = readonly [numbers: readonly string[], odds: string];
/** A play way with its latitude, and what those programs said of each draw: the numbers that win, and those that are given back. */
export interface FormerPlayWay {
  readonly from: readonly Generation[];
  readonly game: string;
  readonly name: string;
  readonly at: string;
  readonly handler: string;
  readonly options: object | null;
  readonly odds: readonly Odds[];
  readonly told: readonly (readonly [wins: readonly string[], pushes: readonly string[]])[];
}
/** Draws of a game that took place. */
export interface FormerDraws {
  readonly game: string;
  readonly draws: readonly { readonly phase: string; readonly date: string; readonly result: string }[];
}

const lines = readFileSync(new URL('./former-presets.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): FormerPlayWay | FormerDraws => JSON.parse(line));

export const formerPlayWays: readonly FormerPlayWay[] = lines.filter((line) => 'from' in line);
export const formerDraws: readonly FormerDraws[] = lines.filter((line) => 'draws' in line);

/** Puts the games of a generation in as its program did, with records of their draws. Gives their ids. */
export async function layFormerGames(db: Db, generation: Generation): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const { game, draws } of formerDraws) {
    const playWays = formerPlayWays.filter((each) => each.game === game && each.from.includes(generation));
    if (playWays.length > 0) ids.set(game, await layGame(db, game, playWays, draws));
  }
  return ids;
}

async function layGame(
  db: Db,
  game: string,
  playWays: readonly FormerPlayWay[],
  draws: FormerDraws['draws'],
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with category as (insert into game_category (name) values (${game}) returning id)
    insert into game (name, "categoryId", phase, "phaseTime", "phaseRule", "openRate", "stopBetSecond", status)
    select ${game}, id, '1', now(), 'RUNNING', 300, 30, true from category returning id`.execute(db);
  const gameId = rows[0]?.id ?? 0;
  await sql`
    with given as (select * from jsonb_to_recordset(${JSON.stringify(playWays)}::jsonb)
      as w (name text, at text, handler text, options jsonb, odds jsonb)
    ), category as (
      insert into play_way_category ("gameId", name, "countOfRows", "hideName") values (${gameId}, '玩法', 5, false) returning id
    ), sub as (
      insert into play_way_category ("gameId", "parentCategoryId", name, "countOfRows", "hideName")
      select ${gameId}, id, '子分类', 5, false from category returning id
    ), latitude as (
      insert into bet_latitude ("gameId", name, "resultIndex", "resultHandlerName", "handlerOptions")
      select ${gameId}, name, at, handler, options::text from given returning id, name
    ), play as (
      insert into play_way ("gameId", "subCategoryId", "betLatitudeId", name)
      select ${gameId}, sub.id, latitude.id, latitude.name from sub, latitude returning id, name
    ), row as (
      select given.name, number, pair->>1 as odds from given, jsonb_array_elements(given.odds) as pair,
        jsonb_array_elements_text(pair->0) as number
    ), number as (
      insert into game_number ("gameId", number) select distinct ${gameId}::bigint, number from row returning id, number
    )
    insert into odds ("playWayId", "numberId", odds)
    select play.id, number.id, row.odds::numeric from row join play using (name) join number using (number)`.execute(
    db,
  );
  await sql`
    insert into draw_record ("gameId", phase, result, "openTime")
    select ${gameId}, phase, result, (date || ' 21:30:00')::timestamptz
    from jsonb_to_recordset(${JSON.stringify(draws)}::jsonb) as d (phase text, date text, result text)`.execute(
    db,
  );
  return gameId;
}
