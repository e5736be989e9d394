import { sql } from 'kysely';
import type { BetLatitude } from '#contract/bet-latitudes.ts';
import type { OutcomeOdds } from '#contract/play-ways.ts';
import type { OddsFrom, SelectionRule } from '#contract/selections.ts';
import type { Db } from '#server/db/database.ts';
import { type OddsRow, rowsOf } from '../bets/play.ts';
import type { Bettable } from '../bets/shown.ts';
import { type BetNumber, betNumber } from '../result-handlers/winning-numbers.ts';

/** The latitudes of a game, the oldest first. */
export async function listBetLatitudes(db: Db, gameId: number): Promise<BetLatitude[]> {
  return db.selectFrom('bet_latitude').selectAll().where('gameId', '=', gameId).orderBy('id').execute();
}

/** These latitudes by id. */
export async function findBetLatitudes(db: Db, ids: readonly number[]): Promise<Map<number, BetLatitude>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('bet_latitude').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function findBetLatitude(db: Db, id: number): Promise<BetLatitude | undefined> {
  return (await findBetLatitudes(db, [id])).get(id);
}

/** The latitude, which nobody changes until the transaction ends. */
export async function holdBetLatitude(db: Db, id: number): Promise<BetLatitude | undefined> {
  return db.selectFrom('bet_latitude').selectAll().where('id', '=', id).forShare().executeTakeFirst();
}

/** What of a game decides how latitudes read it: what a result is. */
export async function findReadGame(db: Db, id: number) {
  return db.selectFrom('game').select('resultRule').where('id', '=', id).executeTakeFirst();
}

/** The same, which nobody changes until the transaction ends. */
export async function holdReadGame(db: Db, id: number) {
  return db.selectFrom('game').select('resultRule').where('id', '=', id).forShare().executeTakeFirst();
}

async function betNumbersOf(db: Db, ids: readonly number[]): Promise<Map<number, BetNumber[]>> {
  const { rows } = await sql<{ id: number; numbers: string[] }>`
    select b.id, array_agg(n.number order by n.id) as numbers
    from (
      select distinct p."betLatitudeId" as id, o."numberId" from play_way p join odds o on o."playWayId" = p.id
      where p."betLatitudeId" = any(${[...ids]}) and p.selection is null
    ) as b join game_number n on n.id = b."numberId"
    group by b.id`.execute(db);
  return new Map(rows.map(({ id, numbers }) => [id, numbers.map(betNumber)]));
}

/** What can be bet on by way of these latitudes, numbers in the order they were added; nothing for one without play ways. */
export async function bettableOf(db: Db, ids: readonly number[]): Promise<(id: number) => Bettable> {
  const numbers = await betNumbersOf(db, ids);
  const rows = await db
    .selectFrom('play_way')
    .select(['betLatitudeId', 'selection'])
    .where(sql<boolean>`"betLatitudeId" = any(${[...ids]}) and selection is not null`)
    .orderBy('id')
    .execute();
  const selections = Map.groupBy(rows, ({ betLatitudeId }) => betLatitudeId);
  return (id) => ({
    numbers: numbers.get(id) ?? [],
    selections: (selections.get(id) ?? []).flatMap(({ selection }) => (selection ? [selection] : [])),
  });
}

/** A play way as its latitude judges it. */
export interface JudgedPlayWay {
  readonly name: string;
  readonly selection: SelectionRule | null;
  readonly oddsFrom: OddsFrom;
  readonly outcomes: readonly OutcomeOdds[];
  readonly rows: readonly OddsRow[];
}

/** The play ways that a latitude judges, the oldest first, each with the rows that pay. */
export async function playWaysJudgedBy(db: Db, id: number): Promise<JudgedPlayWay[]> {
  const playWays = await db
    .selectFrom('play_way')
    .select(['id', 'name', 'selection', 'oddsFrom', 'outcomes'])
    .where('betLatitudeId', '=', id)
    .orderBy('id')
    .execute();
  const { rows } = await sql<OddsRow & { playWayId: number }>`
    select o."playWayId", n.number, o.odds from odds o join game_number n on n.id = o."numberId"
    where o."playWayId" = any(${playWays.map((playWay) => playWay.id)}) order by o.id`.execute(db);
  const numbers = Map.groupBy(rows, ({ playWayId }) => playWayId);
  return playWays.map((playWay) => ({ ...playWay, rows: rowsOf(playWay, numbers.get(playWay.id) ?? []) }));
}

/** What was drawn in a phase, and when. */
export interface LatestResult {
  readonly phase: string;
  readonly result: string;
  readonly openTime: string;
}

/** The latest results of a game, at most `limit`; of a plan's draw the time is the plan's, whatever its source says. */
export async function latestResults(db: Db, gameId: number, limit: number): Promise<LatestResult[]> {
  const { rows } = await sql<LatestResult>`
    select r.phase, r.result, coalesce(p."endTime", r."openTime") as "openTime" from (
      select * from draw_record where "gameId" = ${gameId} order by "openTime" desc, id desc limit ${limit}
    ) as r left join draw_plan p on p."gameId" = r."gameId" and p.phase = r.phase
    order by r."openTime" desc, r.id desc`.execute(db);
  return rows;
}
