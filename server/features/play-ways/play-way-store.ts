import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { Odds } from '#contract/odds.ts';
import type { pagePlayWays as asked, OutcomeOdds, PlayWay } from '#contract/play-ways.ts';
import type { Db } from '#server/db/database.ts';
import { orderOfFew } from '#server/db/list-order.ts';
import { page } from '#server/db/page.ts';
import { equals, where } from '#server/db/where.ts';
import { findBetLatitudes } from '../bet-latitudes/bet-latitude-store.ts';
import { marginOf } from './margin.ts';

/** A play way without the odds of its numbers. */
export type PlayWayRow = Omit<PlayWay, 'odds' | 'categoryId' | 'margin' | 'outcomes' | 'returnRate'> & {
  outcomes: readonly OutcomeOdds[];
};

/** A row of odds as it is kept. */
export type StoredOdds = Omit<Odds, 'returnRate'>;

/** A play way with the odds of its numbers, before its returns are reckoned. */
export type PlayWayWithOdds = PlayWayRow & Pick<PlayWay, 'categoryId' | 'margin'> & { odds: StoredOdds[] };

type PlayWayFilter = Input<typeof asked>;

/** The odds of these play ways, each play way's in the order they were added. */
export async function listOdds(db: Db, playWayIds: readonly number[]): Promise<Map<number, StoredOdds[]>> {
  if (playWayIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('odds')
    .innerJoin('game_number', 'game_number.id', 'odds.numberId')
    .select(['odds.id', 'odds.playWayId', 'odds.numberId', 'game_number.number', 'odds.odds'])
    .select(['odds.stopped', 'odds.version'])
    // One parameter: the statement is the same for every page, and prepared once.
    .where(sql<boolean>`odds."playWayId" = any(${playWayIds})`)
    .orderBy('odds.id')
    .execute();
  const lists = new Map<number, StoredOdds[]>();
  for (const odds of rows) {
    const list = lists.get(odds.playWayId);
    if (list) list.push(odds);
    else lists.set(odds.playWayId, [odds]);
  }
  return lists;
}

/** A page of play ways, the newest first, each with its odds; the count is that of the play ways. */
export async function pagePlayWays(db: Db, filter: PlayWayFilter) {
  const matching = db
    .selectFrom('play_way')
    .where(where(filter, { gameId: equals }, 'play_way'))
    .innerJoin('play_way_category as sub', 'sub.id', 'play_way.subCategoryId')
    .selectAll('play_way')
    .select('sub.parentCategoryId');
  const order = orderOfFew(filter.sort, { table: 'play_way', words: ['name'] });
  const { totalCount, data: rows } = await page(db, matching, filter, order);
  const odds = await listOdds(
    db,
    rows.map(({ id }) => id),
  );
  const latitudes = await findBetLatitudes(db, [...new Set(rows.map((row) => row.betLatitudeId))]);
  const data = rows.map(({ parentCategoryId, ...row }): PlayWayWithOdds => {
    const own = odds.get(row.id) ?? [];
    const categoryId = parentCategoryId ?? row.subCategoryId;
    return { ...row, categoryId, odds: own, margin: marginOf(latitudes.get(row.betLatitudeId), own) };
  });
  return { totalCount, data };
}

export async function findPlayWay(db: Db, id: number): Promise<PlayWayRow | undefined> {
  return db.selectFrom('play_way').selectAll().where('id', '=', id).executeTakeFirst();
}
