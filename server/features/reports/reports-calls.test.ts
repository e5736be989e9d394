import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportFormats } from '#contract/export-formats.ts';
import { pageReport } from '#contract/reports.ts';
import { requestFor } from '#contract/request.ts';
import { pageSlips } from '#contract/slips.ts';
import {
  type BuiltPhase,
  buildBettors,
  buildPhase,
  buildSlips,
  builtLine as line,
  playWays,
  recordResult,
} from '#server/testing/build-slips.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { settleDue } from '../settlements/settle.ts';

let server: TestServer;
let admin: TestClient;
let range: [string, string];
let phase: BuiltPhase;
let users: number[];
let slips: number[];
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  const { db } = server;
  phase = await buildPhase(db);
  users = await buildBettors(db, 3);
  const [anna = 0, berta = 0, carla = 0] = users;
  slips = await buildSlips(db, phase, [
    { userId: anna, agents: [5], lines: [line('first', '9', '2'), line('size', '大', '3')] },
    { userId: anna, agents: [5], lines: [line('second', '4', '1.5')] },
    { userId: berta, agents: [6, 5], lines: [line('first', '1', '10')] },
    { userId: carla, testAccount: true, lines: [line('first', '9', '100')] },
  ]);
  await recordResult(db, phase, '9,3,5,5,5');
  await settleDue(db);
  const { rows } = await sql<{ day: string }>`select distinct day::text from slip`.execute(db);
  range = [rows[0]?.day ?? '', rows[0]?.day ?? ''];
  await sql`update player set username = 'anna_pays' where id = ${anna}`.execute(db);
  await sql`insert into agent (id, name, "userId") values (5, '华东一部', ${anna})`.execute(db);
});
afterAll(() => server.close());

const ask = async (input: Parameters<typeof admin.call<typeof pageReport>>[1]) =>
  (await admin.call(pageReport, input)).envelope;

it('says what slips came to by each grouping, without test accounts', async () => {
  // 9 pays 2 x 9.79 and gives back what was bet on its size.
  const day = {
    ...{
      slips: 3,
      players: 2,
      stake: '16.50',
      turnover: '13.50',
      payout: '19.58',
      refund: '3.00',
      rebate: '0.00',
    },
    ...{ result: '-6.08', rate: '-45.04', unsettled: '0.00', writtenOff: '0.00' },
  };
  expect((await ask({ groupBy: 'DAY', range })).data).toEqual({
    ...{ totalCount: 1, totals: day },
    data: [{ key: range[0], name: range[0], ...day }],
  });
  const byPlayWay = (await ask({ groupBy: 'PLAY_WAY', range, gameId: phase.gameId, sort: '-stake' })).data;
  expect(
    byPlayWay?.data.map(({ key, name, slips, players, stake }) => [key, name, slips, players, stake]),
  ).toEqual([
    [String(playWays.first), 'first', 2, 2, '12.00'],
    [String(playWays.size), 'size', 1, 1, '3.00'],
    [String(playWays.second), 'second', 1, 1, '1.50'],
  ]);
  expect(byPlayWay?.totals).toEqual(day);
  const byAgent = (await ask({ groupBy: 'AGENT', range })).data;
  expect(byAgent?.data.map(({ key, name, slips, stake }) => [key, name, slips, stake])).toEqual([
    // One that nobody entered has its number alone.
    ['5', '华东一部 / anna_pays', 3, '16.50'],
    ['6', '代理 6', 1, '10.00'],
  ]);
  // Under an agent stand the agent and who is below, not a part of those above.
  const under = async (agentId: number) =>
    (await ask({ groupBy: 'AGENT', range, agentId })).data?.data.map(({ key, slips }) => [key, slips]);
  expect(await under(5)).toEqual([
    ['5', 3],
    ['6', 1],
  ]);
  expect(await under(6)).toEqual([['6', 1]]);
  const [game] = (await ask({ groupBy: 'GAME', range })).data?.data ?? [];
  expect(game).toMatchObject({ key: String(phase.gameId), slips: 3, name: expect.stringContaining('游戏') });
  const ofBerta = (await ask({ groupBy: 'USER', range, agentId: 6 })).data;
  expect(ofBerta?.data.map(({ key, result }) => [key, result])).toEqual([[String(users[1]), '10.00']]);
});

it('pages and sorts, and is exported as it stands', async () => {
  const page = (await ask({ groupBy: 'USER', range, sort: 'stake', currentPage: 2, pageSize: 1 })).data;
  expect([page?.totalCount, page?.data.map(({ key }) => key), page?.totals.slips]).toEqual([
    2,
    [String(users[1])],
    3,
  ]);
  expect((await ask({ groupBy: 'USER', range, currentPage: 3, pageSize: 1 })).data).toMatchObject({
    ...{ totalCount: 2, data: [], totals: { slips: 3 } },
  });
  const { method, url, body, contentType } = requestFor(pageReport, {
    groupBy: 'USER',
    range,
    sort: '-stake',
  });
  const file = await fetch(server.origin + url, {
    ...{ method, body },
    headers: {
      'content-type': contentType ?? '',
      authorization: `Bearer ${admin.token}`,
      accept: exportFormats.csv,
    },
  });
  const lines = (await file.text()).trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('平台盈亏');
  expect(lines[1]).toContain(String(users[1]));
});

it('a row leads to the slips that it counts', async () => {
  const slips = async (input: Parameters<typeof admin.call<typeof pageSlips>>[1]) =>
    (await admin.call(pageSlips, input)).envelope.data?.totalCount;
  expect(await slips({ dayRange: range, testAccount: false })).toBe(3);
  expect(await slips({ dayRange: range, testAccount: true })).toBe(1);
  expect(await slips({ dayRange: range, testAccount: false, playWayId: playWays.first })).toBe(2);
  expect(await slips({ dayRange: range, agentId: 6 })).toBe(1);
  expect(await slips({ dayRange: ['2020-01-01', '2020-01-31'] })).toBe(0);
});

it('refuses what makes no sense, at its field', async () => {
  const wrong = async (input: object): Promise<unknown> => (await ask(input)).data;
  expect(await wrong({ groupBy: 'WEEK' })).toEqual({ errors: { groupBy: '汇总方式不是可选的值' } });
  expect(await wrong({ range: ['2026-03-02', '2026-03-01'] })).toEqual({
    errors: { range: '日期的开始不能晚于结束' },
  });
  expect(await wrong({ range: ['2026-02-30', '2026-03-01'] })).toEqual({
    errors: { range: '日期须为 YYYY-MM-DD 格式的日期' },
  });
  expect(await wrong({ range: ['2026-03-01'] })).toEqual({ errors: { range: '日期须为开始与结束两个日期' } });
  expect(await wrong({ sort: 'name' })).toEqual({ errors: { sort: '排序不是可以排序的列' } });
});

it('a slip that is cancelled gives back on the day it is done, and is open no more on its own', async () => {
  const { db } = server;
  const later = await buildPhase(db, '6000', { to: 3 * 86_400 });
  const [userId = 0] = await buildBettors(db, 1);
  const [slipId = 0] = await buildSlips(db, later, [
    { userId, agents: [5], lines: [line('first', '9', '10')] },
  ]);
  const days = async () => {
    const { data } = await ask({ groupBy: 'DAY', gameId: later.gameId });
    return data?.data.map(({ key, stake, refund, unsettled }) => [key, stake, refund, unsettled]);
  };
  const { rows } = await sql<{ own: string; today: string }>`
    select day::text as own, report_day(clock_timestamp())::text as today from slip where id = ${slipId}`.execute(
    db,
  );
  const { own = '', today = '' } = rows[0] ?? {};
  expect(await days()).toEqual([[own, '10.00', '0.00', '10.00']]);
  await sql`select cancel_slip(${slipId}, 'admin', '用户要求撤单')`.execute(db);
  expect(await days()).toEqual([
    [own, '10.00', '0.00', '0.00'],
    [today, '0.00', '10.00', '0.00'],
  ]);
});

it('a debt that is written off counts for the agents of the slip it last came from, of test accounts nowhere', async () => {
  const { db } = server;
  const [ofAnna = 0, , ofBerta = 0, ofTests = 0] = slips;
  const [, berta = 0, carla = 0] = users;
  const takeBack = (userId: number, slipId: number) =>
    sql`
    select from post_entries(array[${userId}::bigint], array['WIN_REVERSAL'], array[200000], array[${`B${slipId}`}], array[null], array['OWING'])`.execute(
      db,
    );
  await takeBack(berta, ofAnna);
  await takeBack(berta, ofBerta);
  await takeBack(carla, ofTests);
  await sql`select write_off_debt(id, 7) from account where debt > 0`.execute(db);
  const { data } = await ask({ groupBy: 'AGENT' });
  expect(data?.data.map(({ key, writtenOff }) => [key, writtenOff]).toSorted()).toEqual([
    ['5', '7.00'],
    ['6', '7.00'],
  ]);
  expect(data?.totals.writtenOff).toBe('7.00');
});
