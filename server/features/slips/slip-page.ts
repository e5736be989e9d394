import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import { type pageSlips as asked, type Slip, slipStatus } from '#contract/slips.ts';
import type { CountedList } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { orderBy } from '#server/db/list-order.ts';
import { countedPage, pageOfFew, type Start } from '#server/db/page.ts';
import { within } from '#server/db/search.ts';
import { ofPlayers, searchedPlayers } from '../users/user-store.ts';
import { settlementsOf } from './slip-settlements.ts';
import { linesOf } from './slip-store.ts';

type Filter = Input<typeof asked>;
type Conditions = readonly RawBuilder<SqlBool>[];

/** Slips are counted by game and status together. */
const slips: CountedList = {
  table: 'slip',
  ofKeys: (keys) => {
    if (!keys) return sql`true`;
    const [games = [], found] = [0, 1].map((part) => [...new Set(keys.map((key) => key.split('/')[part]))]);
    const ofGames =
      games.length === 1 ? sql`"gameId" = ${games[0]}` : sql`"gameId" = any(${games}::bigint[])`;
    return sql`${ofGames} and status = any(${found}::text[])`;
  },
};
/** Slips by the play ways that their lines are of. */
const slipsOfPlayWay: CountedList = { table: 'slip_line' };

async function keysOf(db: Db, { gameId, status }: Filter): Promise<string[] | undefined> {
  if (gameId === undefined && status === undefined) return undefined;
  const games = gameId === undefined ? await db.selectFrom('game').select('id').execute() : [{ id: gameId }];
  return games.flatMap(({ id }) => (status ? [status] : slipStatus.options).map((each) => `${id}/${each}`));
}

const drawn = sql<
  string | null
>`(select r.result from draw_record r where r."gameId" = s."gameId" and r.phase = s.phase)`;

/** Rows of a page, cut before players and results are looked up for it. */
function read(db: Db, conditions: Conditions, { bound, skip, limit, sort }: Start) {
  let page = db.selectFrom('slip').selectAll().orderBy(orderBy(sort)).limit(limit).offset(skip);
  for (const condition of conditions) page = page.where(condition);
  if (bound !== undefined) page = page.where('id', '<=', bound);
  return db
    .selectFrom(page.as('s'))
    .innerJoin('player as p', 'p.id', 's.userId')
    .select(['s.id', 's.bizNo', 's.userId', 'p.username', 's.gameId', 's.phase', 's.drawTime', 's.status'])
    .select(['s.stake', 's.payout', 's.refund', 's.acceptOdds', 's.testAccount', 's.createTime'])
    .select(['s.settleTime', 's.cancelledBy', 's.cancelReason', drawn.as('result')])
    .orderBy(orderBy(sort, 's'));
}

const hasPlayWay = (playWayId: number): RawBuilder<SqlBool> =>
  sql`id in (select l."slipId" from slip_line l where l."playWayId" = ${playWayId})`;

/** In the order of slips, read from the index of play ways: however many slips there are, only those of a page are looked at. */
const ofPlayWay = (
  playWayId: number,
  { bound, skip, limit }: Start,
): RawBuilder<SqlBool> => sql`id = any(array(
  select distinct l."slipId" from slip_line l where l."playWayId" = ${playWayId}
    ${bound === undefined ? sql`` : sql`and l."slipId" <= ${bound}`} order by l."slipId" desc limit ${limit} offset ${skip}))`;

const underAgent = (agentId: number): RawBuilder<SqlBool> =>
  sql`agents @> ${JSON.stringify([{ id: agentId }])}::jsonb`;

/** What few slips have: found through indexes of their own, and counted one by one. */
async function fewOf(db: Db, filter: Filter): Promise<Conditions | undefined> {
  const { bizNo, phase, id, slipId = id, dayRange, agentId, testAccount } = filter;
  const users = await searchedPlayers(db, filter);
  const games = filter.gameId === undefined ? sql`(select id from game)` : sql`(${filter.gameId}::bigint)`;
  const few = [
    ...(slipId === undefined ? [] : [sql<SqlBool>`id = ${slipId}`]),
    ...(bizNo === undefined ? [] : [sql<SqlBool>`"bizNo" = ${bizNo}`]),
    ...(users === undefined ? [] : [ofPlayers(users)]),
    ...(phase === undefined ? [] : [sql<SqlBool>`"gameId" in ${games} and phase = ${phase}`]),
    ...(dayRange ? [sql<SqlBool>`day between ${dayRange[0]}::date and ${dayRange[1]}::date`] : []),
    ...(agentId === undefined ? [] : [underAgent(agentId)]),
    ...(testAccount === undefined ? [] : [sql<SqlBool>`"testAccount" = ${testAccount}`]),
  ];
  return few.length > 0 ? few : undefined;
}

type Found = { totalCount: number; data: Omit<Slip, 'lines' | 'settlements'>[] };

async function find(db: Db, filter: Filter): Promise<Found> {
  const { gameId, status, playWayId, createTimeRange: range } = filter;
  const kinds: Conditions = [
    ...(gameId === undefined ? [] : [sql<SqlBool>`"gameId" = ${gameId}`]),
    ...(status === undefined ? [] : [sql<SqlBool>`status = ${status}`]),
    ...(range ? [within('createTime', range)] : []),
  ];
  const few = await fewOf(db, filter);
  const ofWay = playWayId === undefined ? [] : [hasPlayWay(playWayId)];
  if (few || (playWayId !== undefined && kinds.length > 0)) {
    const all = [...(few ?? []), ...kinds, ...ofWay];
    return pageOfFew(db, slips.table, all, filter, (start) => read(db, all, start));
  }
  if (playWayId !== undefined)
    return countedPage(db, slipsOfPlayWay, { keys: [String(playWayId)] }, filter, (start) =>
      read(db, [ofPlayWay(playWayId, start)], { skip: 0, limit: start.limit }),
    );
  return countedPage(db, slips, { keys: await keysOf(db, filter), range }, filter, (start) =>
    read(db, kinds, start),
  );
}

/** Slips with their lines and settlements, the newest first. */
export async function pageSlips(db: Db, filter: Filter): Promise<{ totalCount: number; data: Slip[] }> {
  const { totalCount, data } = await find(db, filter);
  const ids = data.map(({ id }) => id);
  const [lines, settlements] = [await linesOf(db, ids), await settlementsOf(db, ids)];
  const below = (id: number) => ({ lines: lines.get(id) ?? [], settlements: settlements.get(id) ?? [] });
  return { totalCount, data: data.map((slip) => ({ ...slip, ...below(slip.id) })) };
}
