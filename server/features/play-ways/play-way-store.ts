import { sql } from 'kysely';
import type { BetLatitude } from '#contract/bet-latitudes.ts';
import type { Input } from '#contract/endpoint.ts';
import type { Game } from '#contract/games.ts';
import type { Odds } from '#contract/odds.ts';
import type { pagePlayWays as asked, OutcomeOdds, PlayWay } from '#contract/play-ways.ts';
import type { Db } from '#server/db/database.ts';
import { orderOfFew } from '#server/db/list-order.ts';
import { page } from '#server/db/page.ts';
import { readTogether } from '#server/db/read-together.ts';
import { equals, type Way, where } from '#server/db/where.ts';
import { marginOf } from './margin.ts';

/** A play way without the odds of its numbers. */
export type PlayWayRow = Omit<PlayWay, 'odds' | 'categoryId' | 'margin' | 'outcomes' | 'returnRate'> & {
  outcomes: readonly OutcomeOdds[];
};

/** A row of odds as it is kept. */
export type StoredOdds = Omit<Odds, 'returnRate'>;

/** A latitude with what a result of its game is. */
type Reading = BetLatitude & Pick<Game, 'resultRule'>;

/** A play way with the odds of its numbers, before its returns are reckoned by what it reads. */
export type PlayWayWithOdds = PlayWayRow &
  Pick<PlayWay, 'categoryId' | 'margin'> & { odds: StoredOdds[]; reading: Reading | undefined };

type PlayWayFilter = Input<typeof asked>;

/** What asks for the odds of these play ways, in the order they were added. */
const oddsOf = (playWayIds: readonly number[]) => sql<StoredOdds>`
  select o.id, o."playWayId", o."numberId", n.number, o.odds, o.stopped, o.version
  from odds o join game_number n on n.id = o."numberId" where o."playWayId" = any(${playWayIds}) order by o.id`;

const byPlayWay = (odds: readonly StoredOdds[]) => Map.groupBy(odds, ({ playWayId }) => playWayId);

/** The odds of these play ways, each play way's in the order they were added. */
export const listOdds = async (db: Db, playWayIds: readonly number[]): Promise<Map<number, StoredOdds[]>> =>
  byPlayWay(playWayIds.length === 0 ? [] : (await oddsOf(playWayIds).execute(db)).rows);

/** What asks for these latitudes, with what a result of their game is. */
const readingsOf = (latitudeIds: readonly number[]) => sql<Reading>`
  select l.*, g."resultRule" from bet_latitude l join game g on g.id = l."gameId" where l.id = any(${latitudeIds})`;

/** Of a category with its sub-categories, or of one of these alone. */
const inCategory: Way<number> = (id) => sql`(sub.id = ${id} or sub."parentCategoryId" = ${id})`;

/** A page of play ways, the newest first, each with its odds; the count is that of the play ways. */
export async function pagePlayWays(db: Db, filter: PlayWayFilter) {
  const matching = db
    .selectFrom('play_way')
    .where(where(filter, { gameId: equals, betLatitudeId: equals, categoryId: inCategory }, 'play_way'))
    .innerJoin('play_way_category as sub', 'sub.id', 'play_way.subCategoryId')
    .selectAll('play_way')
    .select('sub.parentCategoryId');
  const order = orderOfFew(filter.sort, { table: 'play_way', words: ['name'] });
  const { totalCount, data: rows } = await page(db, matching, filter, order);
  if (rows.length === 0) return { totalCount, data: [] };
  const [allOdds, found] = await readTogether(
    db,
    oddsOf(rows.map(({ id }) => id)),
    readingsOf([...new Set(rows.map(({ betLatitudeId }) => betLatitudeId))]),
  );
  const odds = byPlayWay(allOdds);
  const readings = new Map(found.map((each) => [each.id, each]));
  const data = rows.map(({ parentCategoryId, ...row }): PlayWayWithOdds => {
    const [own, reading] = [odds.get(row.id) ?? [], readings.get(row.betLatitudeId)];
    const categoryId = parentCategoryId ?? row.subCategoryId;
    return { ...row, categoryId, odds: own, margin: marginOf(reading, own), reading };
  });
  return { totalCount, data };
}

export async function findPlayWay(db: Db, id: number): Promise<PlayWayRow | undefined> {
  return db.selectFrom('play_way').selectAll().where('id', '=', id).executeTakeFirst();
}
