import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccounts } from '#server/features/accounts/account-store.ts';
import { pageApprovals } from '#server/features/approvals/approval-store.ts';
import { pageChangeRecords } from '#server/features/change-records/change-record-store.ts';
import { pageDrawPlans } from '#server/features/draw-plans/draw-plan-store.ts';
import { pageSlips } from '#server/features/slips/slip-page.ts';
import { pageUsers } from '#server/features/users/user-store.ts';
import { buildBetting } from '#server/testing/build-betting.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { rowsRead } from '#server/testing/rows-read.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { foldCounts } from './counted-list.ts';
import type { Db } from './database.ts';
import type { Page } from './reading.ts';
import { valuesOf, type Written } from './written.ts';

const PLAYERS = 20_000;
const PLANS = 20_000;
const RECORDS = 20_000;
const APPROVALS = 3_000;
const SLIPS = 3_000;
/** What an index leads to, with what is looked up beside. */
const FEW = 2_000;

let database: TestDatabase;
let gameId: number;
beforeAll(async () => {
  database = await testDatabase();
  const { db, owner } = database;
  await sql`insert into player (username, "nickName", "realName", frozen, "freezeReason")
    select 'user' || n, '玩家' || n, case when n % 4000 = 7 then '欧阳' else '张' end || chr(20000 + n % 5000), n % 5000 = 3, case when n % 5000 = 3 then '风控' end
    from generate_series(1, ${PLAYERS}::int) n`.execute(db);
  await sql`insert into account ("userId") select id from player on conflict do nothing`.execute(db);
  gameId = await buildGame(db);
  // Of two games, two of five hundred plans each: those that wait are the newest.
  const other = await buildGame(db);
  await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
    select case when n % 2 = 0 then ${gameId}::bigint else ${other}::bigint end, 'q' || n, at, at + interval '1 minute',
      case when n > ${PLANS - 1000}::int then 'WAITTING' when n % 7 = 0 then 'VOID' else 'OPENED' end
    from generate_series(1, ${PLANS}::int) n, lateral (select now() + (n - ${PLANS - 990}::int) * interval '1 minute' as at) t`.execute(
    db,
  );
  await sql`insert into change_record ("userName", call, summary, "targetId", input, address, outcome)
    select 'admin', case when n = 5 then 'updateGame' else 'addBalance' end, case when n = 5 then '编辑 Game 一' else '人工加款' end, n::text, '{}', '::1', 'SUCCESS'
    from generate_series(1, ${RECORDS}::int) n`.execute(db);
  await sql`insert into approval ("createTime", "expireTime", status, call, summary, "targetId", release, why, input, digest, "makerId", maker,
      "makerSession", "makerAddress", "makerAgent", "checkerId", "decideTime")
    select now(), now(), 'RELEASED', 'addBalance', '人工加款', n::text, 'approval:release:money', '', '{"balance": "1.00"}', '', 1, 'one',
      gen_random_uuid(), '', '', 2, now() from generate_series(1, ${APPROVALS}::int) n`.execute(db);
  while ((await foldCounts(db)) > 0);
  // As autovacuum does for a table that has grown: without it a plan would be a guess.
  await sql`vacuum analyze`.execute(owner);
});
afterAll(() => database.drop());

const paging = { currentPage: 1, pageSize: 20 };
const totalOf = async (page: Promise<Page<unknown> | Written<Page<unknown>>>) =>
  valuesOf<Page<unknown>>(await page).totalCount;

/** How many rows of a table the tenth call reads: PostgreSQL plans the first five for their values, and may keep a plan for any value then. */
async function readByTenth(table: string, total: number, call: (tx: Db) => Promise<number>): Promise<number> {
  for (let times = 0; times < 9; times++) expect(await call(database.db)).toBe(total);
  return rowsRead(database.db, [table], call);
}

describe('a search reads what it finds, however many other rows there are', () => {
  it.each([
    ['欧阳', 5, { realName: '欧阳' }],
    ['阳', 5, { realName: '阳' }],
    ['nobody’s name', 0, { nickName: '没有' }],
    ['a number behind Chinese', 1, { nickName: '玩家12345' }],
    ['a part of a username', 1, { username: 'ser19999' }],
    ['who is frozen', 4, { frozen: true }],
  ])('of players by %s', async (_, total, filter) => {
    const read = await readByTenth('player', total, (tx) => totalOf(pageUsers(tx, { ...paging, ...filter })));
    expect(read).toBeLessThan(FEW);
  });

  it.each([
    ['user1999', 11],
    ['欧阳', 0],
  ])('of accounts by the username %s', async (username, total) => {
    const read = await readByTenth('player', total, (tx) =>
      totalOf(pageAccounts(tx, { ...paging, username })),
    );
    expect(read).toBeLessThan(FEW);
  });

  it.each([
    ['a kind of things', 1, { noun: '游戏' }],
    ['what it is called, in whatever case', 1, { summary: 'game' }],
    ['what nothing is called', 0, { summary: '没有' }],
  ])('of changes by %s', async (_, total, filter) => {
    const read = await readByTenth('change_record', total, (tx) =>
      totalOf(pageChangeRecords(tx, { ...paging, ...filter })),
    );
    expect(read).toBeLessThan(FEW);
  });
});

it('whose money an approval moves is looked up for the page alone', async () => {
  const read = await readByTenth('account', APPROVALS, (tx) => totalOf(pageApprovals(tx, { ...paging })));
  expect(read).toBeLessThan(FEW);
});

describe('plans of a game or status in the order of time', () => {
  it('begin where they are', async () => {
    const now = new Date();
    const read = await readByTenth('draw_plan', 1000, (tx) =>
      totalOf(pageDrawPlans(tx, now, { ...paging, status: 'WAITTING', sort: 'startTime' })),
    );
    expect(read).toBeLessThan(FEW);
  });

  const range: [string, string] = ['2020-01-01 00:00:00', '2040-01-01 00:00:00'];
  it.each([
    ['waiting', { status: 'WAITTING' }],
    ['void', { status: 'VOID' }],
    ['of a game', { gameId: 1 }],
    ['of a game and void', { gameId: 1, status: 'VOID' }],
    ['void in a range', { status: 'VOID', startTimeRange: range }],
  ] as const)('are as a scan has them: %s', async (_, asked) => {
    const filter = 'gameId' in asked ? { ...asked, gameId } : asked;
    const { rows } = await sql<{ id: number }>`
      select id from draw_plan where ${'status' in asked ? sql`status = ${asked.status}` : sql`true`}
        and ${'gameId' in asked ? sql`"gameId" = ${gameId}` : sql`true`} order by "startTime", id`.execute(
      database.db,
    );
    const whole = rows.map(({ id }) => id);
    for (const sort of ['startTime', '-startTime'] as const) {
      const ordered = sort === 'startTime' ? whole : whole.toReversed();
      const last = Math.ceil(whole.length / 20);
      for (const currentPage of [1, 2, 3, Math.ceil(last / 2), last - 1, last, last + 1]) {
        const page = pageDrawPlans(database.db, new Date(), { ...filter, currentPage, pageSize: 20, sort });
        const { totalCount, data } = valuesOf<Page<{ id: number }>>(await page);
        expect(totalCount).toBe(whole.length);
        expect(
          data.map(({ id }) => id),
          `${sort} ${currentPage}`,
        ).toEqual(ordered.slice((currentPage - 1) * 20, currentPage * 20));
      }
    }
  });
});

it('slips of a play way and its own game are those of the play way, which are counted', async () => {
  const { db, owner } = database;
  const { gameId: own, planId, userId, phase, bigSmall: playWayId } = await buildBetting(db);
  await sql`insert into slip_rules (hash, "playWayId", "playWayName", "categoryName", "subCategoryName", rules)
    values ('one', ${playWayId}, '', '', '', '{"handler": "SumBigSmallHandler", "version": 1}')`.execute(db);
  await sql`
    with made as (
      insert into slip ("bizNo", "userId", "gameId", "planId", phase, "drawTime", stake, "acceptOdds", "testAccount", "contentHash", "createTime")
      select 'one' || n, ${userId}, ${own}, ${planId}, ${phase}, now() + interval '1 hour', 2, 'SAME', false, '', now()
      from generate_series(1, ${SLIPS}::int) n order by n returning id)
    insert into slip_line ("slipId", "playWayId", "rulesId", selection, units, "unitStake", stake, odds, "maxPayout")
    select made.id, ${playWayId}, r.id, '大', 1, 2, 2, '"1.98"', 3.96 from made, slip_rules r where r.hash = 'one'`.execute(
    db,
  );
  while ((await foldCounts(db)) > 0);
  await sql`vacuum analyze`.execute(owner);
  const filter = { ...paging, gameId: own, playWayId };
  const read = await readByTenth('slip_line', SLIPS, (tx) => totalOf(pageSlips(tx, filter)));
  expect(read).toBeLessThan(FEW);
});
