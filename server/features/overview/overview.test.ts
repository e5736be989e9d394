import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageDeposits } from '#contract/deposits.ts';
import { pageDrawPlans } from '#contract/draw-plans.ts';
import { pageDrawRecords } from '#contract/draw-records.ts';
import { getOverview, type Overview } from '#contract/overview.ts';
import { pageSpiders } from '#contract/spiders.ts';
import { pageUsers } from '#contract/users.ts';
import { pageWithdrawals } from '#contract/withdrawals.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { buildUser } from '#server/testing/build-user.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
let userId: number;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  ({ userId } = await buildUser(server.db));
  await placeOrders();
});
afterAll(() => server.close());

/** An order as it stood after its decision, placed so long ago. */
async function order(
  table: 'deposit' | 'withdrawal',
  status: string,
  amount: string,
  ago: string,
): Promise<void> {
  const decided = status === 'PROCESSING' ? sql`null` : sql`now()`;
  const paid = status === 'SUCCESS' ? sql`now()` : sql`null`;
  const own =
    table === 'deposit'
      ? [sql`"bankOrderNo", type`, sql`gen_random_uuid()::text, 'THIRD_PARTY'`]
      : [sql`"receiveAccountNo"`, sql`'6222'`];
  await sql`
    insert into ${sql.table(table)} ("userId", amount, status, "createTime", "reviewTime", "successTime", ${own[0]})
    values (${userId}, ${amount}, ${status}, now() - ${ago}::interval, ${decided}, ${paid}, ${own[1]})`.execute(
    server.db,
  );
}

async function placeOrders(): Promise<void> {
  await order('deposit', 'SUCCESS', '100.10', '0');
  await order('deposit', 'SUCCESS', '0.2', '0');
  await order('deposit', 'FAIL', '9999', '0');
  await order('deposit', 'SUCCESS', '40', '1 day 1 second');
  // Yesterday as well, but later in the day than it is now.
  const { rows } = await sql<{ ago: string }>`
    select ((now() - date_trunc('day', now()) + interval '1 day') / 2)::text as ago`.execute(server.db);
  await order('deposit', 'SUCCESS', '55', rows[0]?.ago ?? '');
  await order('deposit', 'SUCCESS', '7', '1 month 1 second');
  await order('deposit', 'PROCESSING', '30', '2 hours');
  await order('deposit', 'PROCESSING', '12.5', '5 minutes');
  await order('withdrawal', 'SUCCESS', '150.45', '0');
}

/** The newest figures: what is kept for two seconds is waited out. */
async function overviewOf(client: TestClient): Promise<Overview> {
  const { envelope } = await client.call(getOverview, {});
  if (!envelope.data) throw new Error(envelope.msg ?? '');
  return envelope.data;
}

describe('the overview', () => {
  it('tells what waits, what came in and went out, exactly, against the days before', async () => {
    const overview = await overviewOf(admin);
    expect(overview.deposits).toMatchObject({
      today: { count: 2, amount: '100.30' },
      waiting: { count: 2, amount: '42.50' },
    });
    expect(overview.deposits?.waiting.seconds).toBeGreaterThanOrEqual(7_200);
    expect(overview.deposits?.waiting.seconds).toBeLessThan(7_300);
    expect(overview.withdrawals).toMatchObject({
      today: { count: 1, amount: '150.45' },
      waiting: { count: 0, amount: '0.00', since: null, seconds: 0 },
    });
    expect(overview.net?.today).toBe('-50.15');
    expect(overview.players).toMatchObject({ today: 1, yesterday: 0, total: 1 });
    expect(overview.days).toHaveLength(30);
    expect(overview.days.at(-1)).toEqual({
      day: overview.today[0].slice(0, 10),
      deposits: '100.30',
      withdrawals: '150.45',
      net: '-50.15',
      players: 1,
    });
  });

  it('compares with yesterday and last month up to the same moment', async () => {
    const { deposits } = await overviewOf(admin);
    // A second after midnight, and on the first of a month, the orders of before lie on the day before that.
    const { rows } = await sql<{ day: boolean; month: boolean }>`
      select now() - interval '1 day 1 second' >= date_trunc('day', now()) - interval '1 day' as day,
        now() - interval '1 month 1 second' >= date_trunc('month', now()) - interval '1 month' as month`.execute(
      server.db,
    );
    expect(deposits?.yesterday).toEqual(
      rows[0]?.day ? { count: 1, amount: '40.00' } : { count: 0, amount: '0.00' },
    );
    if (rows[0]?.month) expect(deposits?.lastMonth.count).toBeGreaterThanOrEqual(1);
  });

  it('agrees with the lists its figures lead to', async () => {
    const { deposits, withdrawals, players, today, month } = await overviewOf(admin);
    const of = { status: 'SUCCESS' } as const;
    const counts = await Promise.all([
      admin.call(pageDeposits, { ...of, createTimeRange: today }),
      admin.call(pageDeposits, { ...of, createTimeRange: month }),
      admin.call(pageDeposits, { status: 'PROCESSING' }),
      admin.call(pageWithdrawals, { ...of, createTimeRange: today }),
      admin.call(pageUsers, { createTimeRange: today }),
    ]);
    expect(counts.map(({ envelope }) => envelope.data?.totalCount)).toEqual([
      deposits?.today.count,
      deposits?.month.count,
      deposits?.waiting.count,
      withdrawals?.today.count,
      players?.today,
    ]);
  });

  it.each([
    [[], []],
    [['/main/user/deposit-record'], ['deposits']],
    [['/main/user/withdraw-record'], ['withdrawals']],
    [
      ['/main/user/deposit-record', '/main/user/withdraw-record'],
      ['deposits', 'net', 'withdrawals'],
    ],
    [['/main/user/user'], ['players']],
    [['/main/game/open-plan'], ['alarms', 'plans']],
    [['/main/game/open-record'], ['conflicts']],
    [['/main/game/spider'], ['spiders']],
    [['/main/bet/settlement'], ['settlements']],
  ])('shows an operator with %j only %j', async (grants, parts) => {
    const { username } = await buildOperator(server.db, { grants });
    const overview = await overviewOf(await server.as(username, PASSWORD));
    const { time, today, month, days, ...guarded } = overview;
    const shown = Object.entries(guarded).filter(([, part]) => part !== null);
    expect(shown.map(([name]) => name).sort()).toEqual(parts);
    const { day: _day, ...figures } = days[0] ?? { day: '' };
    const perDay = Object.entries(figures).filter(([, part]) => part !== null);
    expect(perDay.map(([name]) => name).sort()).toEqual(parts.filter((name) => name in figures));
  });

  it('tells which draws wait, are late or in conflict, and which collectors fail', async () => {
    const gameId = await buildGame(server.db, { name: '概览游戏' });
    await sql`
      insert into draw_plan ("gameId", phase, "startTime", "endTime", status, "lateTime") values
        (${gameId}, '1', now() - interval '20 minutes', now() - interval '15 minutes', 'OPENING', now()),
        (${gameId}, '2', now() - interval '5 minutes', now(), 'OPENING', null),
        (${gameId}, '3', current_date + interval '23:59:59', now() + interval '1 day', 'WAITTING', null),
        (${gameId}, '4', now() + interval '3 days', now() + interval '4 days', 'WAITTING', null)`.execute(
      server.db,
    );
    await sql`
      insert into draw_record ("gameId", phase, result, "openTime", conflict)
      values (${gameId}, '0', '1,2,3', now(), true), (${gameId}, '00', '1,2,3', now(), false)`.execute(
      server.db,
    );
    await sql`
      insert into spider ("gameId", name, "spiderServiceName", enabled, "consecutiveFailures", "lastError") values
        (${gameId}, '失败的', 'OpenCodeSpider', true, 3, '连接超时'), (${gameId}, '好的', 'OpenCodeSpider', true, 0, null),
        (${gameId}, '停用的', 'OpenCodeSpider', false, 9, '连接超时')`.execute(server.db);
    await expect
      .poll(async () => (await overviewOf(admin)).plans, { timeout: 30_000 })
      .toMatchObject({ opening: 2, late: 1, upcoming: 1 });
    const { conflicts, spiders } = await overviewOf(admin);
    expect(conflicts).toBe(1);
    expect(spiders).toMatchObject({
      enabled: 2,
      failingCount: 1,
      failing: [{ gameName: '概览游戏', name: '失败的', consecutiveFailures: 3, lastError: '连接超时' }],
    });
    const failing = (await admin.call(pageSpiders, { failing: 'YES' })).envelope.data;
    expect(failing).toMatchObject({ totalCount: 1, data: [{ name: '失败的' }] });
    const clashing = (await admin.call(pageDrawRecords, { conflict: true })).envelope.data;
    expect(clashing).toMatchObject({ totalCount: 1, data: [{ phase: '0' }] });
    const late = (await admin.call(pageDrawPlans, { overdue: 'YES' })).envelope.data;
    expect(late).toMatchObject({ totalCount: 1, data: [{ phase: '1', late: true }] });
  });

  it('tells which settlements and wins wait for a person, and which rebates to be released', async () => {
    const gameId = await buildGame(server.db, { name: '待处理的游戏' });
    await sql`
      with drawn as (
        insert into draw_record ("gameId", phase, result, "openTime", conflict)
        values (${gameId}, '1', '1,2,3', now(), false) returning id),
      held as (
        insert into settlement ("gameId", phase, kind, status, "recordId", result)
        select ${gameId}, '1', 'FIRST', 'HELD', id, '1,2,3' from drawn returning id)
      insert into slip_hold ("settlementId", "slipId", reason, problem, payout)
      select held.id, slip, reason, '', 900 from held, (values (1, 'BIG_WIN'), (2, 'BIG_WIN'), (3, 'UNPOSTED')) as h (slip, reason)`.execute(
      server.database.owner,
    );
    await sql`
      insert into rebate_run (day, "seenTime", opposing, "ownSlips", rebate, returned, invited)
      values (date '2026-01-31', now(), 'BOTH', true, 10.5, 2, 0.25)`.execute(server.database.owner);
    const waits = async () => {
      const { settlements, rebates } = await overviewOf(admin);
      return { settlements, rebates };
    };
    await expect.poll(waits, { timeout: 30_000 }).toEqual({
      settlements: { count: 1, bigWins: 2 },
      rebates: { day: '2026-01-31', amount: '12.75' },
    });
    const { username } = await buildOperator(server.db, { grants: ['/main/bet/rebate'] });
    const { settlements, rebates } = await overviewOf(await server.as(username, PASSWORD));
    expect([settlements, rebates?.day]).toEqual([null, '2026-01-31']);
  });

  it('raises an alarm when the last proof of all bets found something wrong, for whoever sees settlements', async () => {
    expect((await overviewOf(admin)).betsProof).toBeNull();
    const prove = (day: string, broken: number, problems: readonly string[]) =>
      sql`
        insert into bets_proof (day, "endTime", slips, broken, problems)
        values (current_date - ${day}::interval, now(), 70, ${broken}, ${[...problems]}::text[])`.execute(
        server.db,
      );
    await prove('1 day', 21, ['注单 7：派彩应为 2，记为 3', '注单 8：没有注项']);
    // One that is under way says nothing yet.
    await sql`insert into bets_proof (day) values (current_date + 1)`.execute(server.db);
    const told = { slips: 70, broken: 21, problems: ['注单 7：派彩应为 2，记为 3', '注单 8：没有注项'] };
    await expect
      .poll(async () => (await overviewOf(admin)).betsProof, { timeout: 30_000 })
      .toMatchObject(told);
    const { username } = await buildOperator(server.db, { grants: ['/main/bet/settlement'] });
    expect((await overviewOf(await server.as(username, PASSWORD))).betsProof).toMatchObject(told);
    const { username: other } = await buildOperator(server.db, { grants: ['/main/game/spider'] });
    expect((await overviewOf(await server.as(other, PASSWORD))).betsProof).toBeNull();
    await prove('0 days', 0, []);
    await expect.poll(async () => (await overviewOf(admin)).betsProof, { timeout: 30_000 }).toBeNull();
  });

  it('reads two months out of years of orders from an index alone', async () => {
    await sql`
      insert into deposit ("userId", "bankOrderNo", type, amount, status, "createTime", "reviewTime", "successTime")
      select ${userId}, 'old' || n, 'THIRD_PARTY', 1, 'SUCCESS', now() - n * interval '1 hour', now(), now()
      from generate_series(1, 20000) n`.execute(server.db);
    await sql`vacuum analyze deposit`.execute(server.db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select sum(amount) from deposit
      where status = 'SUCCESS' and "createTime" >= now() - interval '60 days'`.execute(server.db);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Index Only Scan using deposit_sums');
  });
});
