import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import {
  type pageSlips as pageOfSlips,
  type Slip,
  slipStatus,
  type sumSlips as sumOfSlips,
} from '#contract/slips.ts';
import { compiledOnce, type RowsOf } from '#server/db/compiled-once.ts';
import { gameKeys, ofGameKeys } from '#server/db/counted-by-game.ts';
import type { CountedList } from '#server/db/counted-list.ts';
import { cut, type Start } from '#server/db/cut.ts';
import type { Db } from '#server/db/database.ts';
import { type Order, orderBy } from '#server/db/list-order.ts';
import { countedPage } from '#server/db/page.ts';
import type { Page } from '#server/db/reading.ts';
import {
  and,
  asking,
  type Condition,
  equals,
  literally,
  on,
  type Way,
  where,
  withinAnew,
} from '#server/db/where.ts';
import { ofUsers, searchedUsers } from '../users/user-store.ts';
import { settlementsOf } from './slip-settlements.ts';
import { linesOf } from './slip-store.ts';

type Filter = Input<typeof pageOfSlips>;
type Search = Input<typeof sumOfSlips>;
/** Slips are counted by game and status together. */
const slips: CountedList = { table: 'slip', byIds: true, ofKeys: ofGameKeys };
/** Slips by the play ways that their lines are of; they are counted by no time. */
const slipsOfPlayWay: CountedList = { table: 'slip_line', time: 'none' };

const drawn = sql<
  string | null
>`(select r.result from draw_record r where r."gameId" = s."gameId" and r.phase = s.phase)`;

/** Why it waits, of one that was set aside. */
const waiting = sql<
  string | null
>`case when s.status = 'HELD' then (select h.problem from slip_hold h where h."slipId" = s.id) end`;

/** Rows of a page, cut before players and results are looked up for it. */
const shown = compiledOnce((db, page: RowsOf<'slip'>, order: Order) =>
  db
    .selectFrom(page.as('s'))
    .innerJoin('player as p', 'p.id', 's.userId')
    .select(['s.id', 's.bizNo', 's.userId', 'p.username', 's.gameId', 's.phase', 's.drawTime', 's.status'])
    .select(['s.stake', 's.payout', 's.refund', 's.acceptOdds', 's.testAccount', 's.createTime'])
    .select(['s.settleTime', 's.cancelledBy', 's.cancelReason', drawn.as('result'), waiting.as('problem')])
    .orderBy(order),
);

const read = (db: Db, asked: Condition | undefined, start: Start) =>
  shown(db, cut('slip', asked, start), orderBy(start.sort, 's'));

/** In the order of slips, read from the index of play ways: however many slips there are, only those of a page are looked at. */
const ofPlayWay = (playWayId: number, { bound, skip, limit }: Start): Condition => sql`id = any(array(
  select distinct l."slipId" from slip_line l where l."playWayId" = ${playWayId}
    ${bound === undefined ? sql`` : sql`and l."slipId" <= ${bound}`} order by l."slipId" desc limit ${limit} offset ${skip}))`;

const hasPlayWay: Way<number> = (id) =>
  sql`id in (select l."slipId" from slip_line l where l."playWayId" = ${id})`;
const underAgent: Way<number> = (id) => sql`agents @> ${JSON.stringify([{ id }])}::jsonb`;
const onDays: Way<readonly [string, string]> = ([from, to]) => sql`day between ${from}::date and ${to}::date`;
/** Of one game or of all of them, by the index of games and phases. */
const ofPhase =
  (gameId: number | undefined): Way<string> =>
  (phase) =>
    sql`"gameId" in ${gameId === undefined ? sql`(select id from game)` : sql`(${gameId}::bigint)`} and phase = ${phase}`;

/** What few slips have: found through indexes of their own, and counted one by one. */
async function fewOf(db: Db, { id, slipId = id, ...filter }: Search): Promise<Condition | undefined> {
  return asking(
    { ...filter, id: slipId, users: await searchedUsers(db, filter) },
    {
      ...{ id: equals, bizNo: equals, users: ofUsers, testAccount: literally },
      ...{ phase: ofPhase(filter.gameId), dayRange: onDays, agentId: underAgent },
    },
  );
}

/** The game that is asked for beside a play way; none where that is of it, as all its slips are then. */
async function gameBeside(db: Db, { gameId, playWayId }: Search): Promise<number | undefined> {
  if (gameId === undefined || playWayId === undefined) return gameId;
  const found = db.selectFrom('play_way').select('gameId').where('id', '=', playWayId);
  return (await found.executeTakeFirst())?.gameId === gameId ? undefined : gameId;
}

async function find(db: Db, asked: Filter): Promise<Page<Omit<Slip, 'lines' | 'settlements'>>> {
  const few = await fewOf(db, asked);
  const filter = { ...asked, gameId: await gameBeside(db, asked) };
  const { playWayId, createTimeRange: range } = filter;
  const kinds = asking(filter, { gameId: equals, status: literally });
  const ofWay = asking(filter, { playWayId: hasPlayWay });
  if (playWayId !== undefined && !few && !kinds && !range)
    return countedPage(db, slipsOfPlayWay, { keys: [String(playWayId)] }, filter, (_, start) =>
      start.sort === undefined
        ? read(db, ofPlayWay(playWayId, start), { skip: 0, limit: start.limit })
        : read(db, ofWay, start),
    );
  const keys = await gameKeys(db, filter, slipStatus.options);
  return countedPage(db, slips, { few: and(few, ofWay), kinds, keys, range }, filter, (condition, start) =>
    read(db, condition, start),
  );
}

/** Slips with their lines and settlements, the newest first. */
export async function pageSlips(db: Db, filter: Filter): Promise<Page<Slip>> {
  const { totalCount, data } = await find(db, filter);
  const ids = data.map(({ id }) => id);
  const [lines, settlements] = [await linesOf(db, ids), await settlementsOf(db, ids)];
  const below = (id: number) => ({ lines: lines.get(id) ?? [], settlements: settlements.get(id) ?? [] });
  return { totalCount, data: data.map((slip) => ({ ...slip, ...below(slip.id) })) };
}

/** What the slips that match come to. */
export async function sumSlips(db: Db, asked: Search) {
  const filter = { ...asked, gameId: await gameBeside(db, asked) };
  const kinds = where(filter, {
    ...{ gameId: equals, status: literally, playWayId: hasPlayWay },
    createTimeRange: on('createTime', withinAnew),
  });
  const total = (field: 'stake' | 'payout' | 'refund') =>
    sql<string>`as_money(coalesce(sum(${sql.ref(field)}), 0))`.as(field);
  return db
    .selectFrom('slip')
    .select([total('stake'), total('payout'), total('refund')])
    .where(and(await fewOf(db, asked), kinds) ?? kinds)
    .executeTakeFirstOrThrow();
}
