import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cleanDrawPlans,
  cleanDrawPlansExceptToday,
  type DrawPlan,
  generateDrawPlans,
  pageDrawPlans,
} from '#contract/draw-plans.ts';
import { addDays, dayOf, weekdayOf } from '#server/platform-days.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { allowEarlyDraws } from '#server/testing/draw-permits.ts';
import { given } from '#server/testing/given.ts';
import { rowsRead } from '#server/testing/rows-read.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { nextDue } from './plan-life.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  await allowEarlyDraws(server.db);
  admin = await server.admin();
});
afterAll(() => server.close());

const today = () => dayOf(Date.now() / 1000, 'Asia/Shanghai');
const tomorrow = () => addDays(today(), 1);
const day = (date: string) => ({ beginDate: `${date} 00:00:00`, endDate: `${date} 23:59:59` });
const generate = (gameId: number, date = tomorrow()) =>
  admin.call(generateDrawPlans, { gameId, ...day(date) });
async function plansOf(gameId: number, filter: object = {}): Promise<DrawPlan[]> {
  const { envelope } = await admin.call(pageDrawPlans, { gameId, pageSize: 9999, ...filter });
  expect(envelope.data?.totalCount).toBe(envelope.data?.data.length);
  return envelope.data?.data ?? [];
}
const shape = (plans: readonly DrawPlan[]) =>
  plans.map(({ phase, startTime, endTime }) => [phase, startTime, endTime]);
const setStatus = (ids: readonly number[], status: string) =>
  sql`update draw_plan set status = ${status} where id = any(${[...ids]})`.execute(server.db);

describe('generating', () => {
  it('makes the day’s plans, and says how many', async () => {
    const gameId = await buildGame(server.db);
    const { envelope } = await generate(gameId);
    expect(envelope).toMatchObject({ success: true, data: 288, msg: '已生成 288 期' });
    const plans = await plansOf(gameId);
    expect(plans).toHaveLength(288);
    expect(plans.at(-1)).toMatchObject({
      startTime: `${tomorrow()} 00:00:00`,
      endTime: `${tomorrow()} 00:05:00`,
      status: 'WAITTING',
      late: false,
      commitment: null,
    });
    const phases = plans.map(({ phase }) => Number(phase));
    expect(phases).toEqual(phases.toSorted((a, b) => b - a));
    expect((phases[0] ?? 0) - (phases.at(-1) ?? 0)).toBe(287);
  });

  it('gives the same plans in whatever order days are generated, and again', async () => {
    const phaseTime = new Date();
    const [forth, back] = [
      await buildGame(server.db, { phaseTime }),
      await buildGame(server.db, { phaseTime }),
    ];
    const days = [1, 2, 3].map((n) => addDays(today(), n));
    for (const date of days) await generate(forth, date);
    for (const date of [...days, ...days].toReversed()) await generate(back, date);
    const sorted = async (gameId: number) => shape(await plansOf(gameId)).toSorted();
    expect(await sorted(back)).toEqual(await sorted(forth));
  });

  it('makes none on days of the week that the game does not draw on, and counts them out', async () => {
    const days = Array.from({ length: 7 }, (_, ahead) => addDays(today(), ahead + 1));
    const [first = '', , third = ''] = days;
    const timeRanges = [
      { start: '10:00:00', end: '12:00:00', weekdays: [weekdayOf(first), weekdayOf(third)] },
    ];
    const gameId = await buildGame(server.db, { openRate: 3600, timeRanges, phase: '500' });
    const made: unknown[] = [];
    for (const date of days) made.push((await generate(gameId, date)).envelope.msg);
    expect(made).toEqual(days.map((date) => `已生成 ${[first, third].includes(date) ? 2 : 0} 期`));
    const phases = (await plansOf(gameId)).map(({ phase, startTime }) => [phase, startTime]);
    expect(phases.toReversed()).toEqual([
      ['501', `${first} 10:00:00`],
      ['502', `${first} 11:00:00`],
      ['503', `${third} 10:00:00`],
      ['504', `${third} 11:00:00`],
    ]);
  });

  it('makes none that nobody could have bet on', async () => {
    const gameId = await buildGame(server.db, { openRate: 3600 });
    await generate(gameId, today());
    const now = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    for (const plan of await plansOf(gameId)) expect(plan.endTime > now).toBe(true);
    expect((await generate(gameId, addDays(today(), -1))).envelope).toMatchObject({
      data: true,
      msg: '已生成 0 期',
    });
  });

  it('leaves plans that are being drawn or were', async () => {
    const gameId = await buildGame(server.db);
    await generate(gameId);
    const before = await plansOf(gameId);
    await setStatus([given(before[3]?.id)], 'OPENED');
    await setStatus([given(before[4]?.id)], 'OPENING');
    await generate(gameId);
    const after = await plansOf(gameId);
    expect(after).toHaveLength(288);
    expect(after.filter(({ status }) => status !== 'WAITTING').map(({ id }) => id)).toEqual([
      before[3]?.id,
      before[4]?.id,
    ]);
    expect(shape(after).toSorted()).toEqual(shape(before).toSorted());
  });

  it('removes plans of an older numbering that stand in the way, but never a drawn one', async () => {
    const gameId = await buildGame(server.db, { phase: '5000' });
    await generate(gameId, tomorrow());
    await sql`update game set phase = '5300' where id = ${gameId}`.execute(server.db);
    const { envelope } = await generate(gameId, addDays(today(), 2));
    expect(envelope.data).toBe(288);
    await generate(gameId, tomorrow());
    expect(new Set((await plansOf(gameId)).map(({ phase }) => phase)).size).toBe(576);
    const last = (
      await plansOf(gameId, {
        startTimeRange: [`${addDays(today(), 2)} 00:00:00`, `${addDays(today(), 2)} 23:59:59`],
      })
    )[0];
    await setStatus([given(last?.id)], 'OPENED');
    await sql`update game set phase = '5588' where id = ${gameId}`.execute(server.db);
    const refused = await generate(gameId, tomorrow());
    expect(refused.envelope).toMatchObject({ success: false, code: 400 });
    expect(refused.envelope.msg).toContain('已被其他时间的计划使用');
    expect(await plansOf(gameId)).toHaveLength(576);
  });

  it('leaves one plan set however many ask at once', async () => {
    const gameId = await buildGame(server.db, { openRate: 600 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => generate(gameId)));
    expect(answers.map(({ envelope }) => envelope.data)).toEqual(Array(20).fill(144));
    expect(await plansOf(gameId)).toHaveLength(144);
  });

  it.each([
    ['reversed', '2026-05-02 00:00:00', '2026-05-01 00:00:00', '结束时间不能早于开始时间'],
    ['too wide', '2026-05-01 00:00:00', '2026-06-01 00:00:00', '时间范围不能超过 31 天'],
    ['invalid', '2026-02-30 00:00:00', '2026-03-01 00:00:00', '开始时间须为'],
  ])('refuses a window that is %s', async (_what, beginDate, endDate, msg) => {
    const gameId = await buildGame(server.db);
    const { envelope } = await admin.call(generateDrawPlans, { gameId, beginDate, endDate });
    expect(envelope).toMatchObject({ success: false, code: 400 });
    expect(envelope.msg).toContain(msg);
    expect(await plansOf(gameId)).toEqual([]);
  });

  it('refuses a game that does not exist, and more plans than fit one sitting', async () => {
    expect((await generate(999_999)).envelope.msg).toBe('记录不存在');
    const gameId = await buildGame(server.db, { openRate: 1 });
    const { envelope } = await admin.call(generateDrawPlans, {
      gameId,
      beginDate: `${tomorrow()} 00:00:00`,
      endDate: `${addDays(today(), 3)} 23:59:59`,
    });
    expect(envelope.msg).toContain('一次最多生成');
  });
});

describe('clearing', () => {
  it('deletes what waits: in a window, except today, or all', async () => {
    const gameId = await buildGame(server.db, { openRate: 3600 });
    for (const date of [today(), tomorrow(), addDays(today(), 2)]) await generate(gameId, date);
    const range: [string, string] = [`${tomorrow()} 00:00:00`, `${tomorrow()} 23:59:59`];
    const cleaned = await admin.call(cleanDrawPlans, { gameId, startTimeRange: range });
    expect(cleaned.envelope).toMatchObject({ data: 24, msg: '已清除 24 期' });
    expect(await plansOf(gameId, { startTimeRange: range })).toEqual([]);
    expect((await admin.call(cleanDrawPlansExceptToday, { gameId })).envelope.data).toBe(24);
    for (const plan of await plansOf(gameId)) expect(plan.startTime.slice(0, 10)).toBe(today());
    await admin.call(cleanDrawPlans, { gameId });
    expect(await plansOf(gameId)).toEqual([]);
    expect((await admin.call(cleanDrawPlans, { gameId })).envelope).toMatchObject({
      data: true,
      msg: '已清除 0 期',
    });
  });

  it('never touches a plan whose draw time has come, even when nobody has noticed yet', async () => {
    const gameId = await buildGame(server.db, { openRate: 3600 });
    await generate(gameId);
    const [last, ...others] = await plansOf(gameId);
    await sql`update draw_plan set "startTime" = now() - interval '2 hours', "endTime" = now() - interval '1 second'
      where id = ${last?.id}`.execute(server.db);
    expect((await admin.call(cleanDrawPlans, { gameId })).envelope.data).toBe(others.length);
    expect(await plansOf(gameId)).toMatchObject([{ id: last?.id, status: 'OPENING' }]);
  });
});

describe('the list', () => {
  it('counts exactly by game, status, betting time and phase', async () => {
    const gameId = await buildGame(server.db, { openRate: 3600, phase: '70000' });
    await generate(gameId);
    const plans = await plansOf(gameId);
    await setStatus(
      plans.slice(0, 5).map(({ id }) => id),
      'OPENED',
    );
    expect(await plansOf(gameId, { status: 'OPENED' })).toHaveLength(5);
    expect(await plansOf(gameId, { status: 'WAITTING' })).toHaveLength(19);
    expect(
      await plansOf(gameId, { startTimeRange: [`${tomorrow()} 03:00:00`, `${tomorrow()} 05:00:00`] }),
    ).toHaveLength(3);
    const phase = plans[7]?.phase ?? '';
    expect(await plansOf(gameId, { phase })).toMatchObject([{ id: plans[7]?.id }]);
    const page = await admin.call(pageDrawPlans, { gameId, pageSize: 10, currentPage: 3 });
    expect(page.envelope.data).toMatchObject({ totalCount: 24 });
    expect(page.envelope.data?.data.map(({ id }) => id)).toEqual(plans.slice(20).map(({ id }) => id));
    const beyond = await admin.call(pageDrawPlans, { gameId, pageSize: 10, currentPage: 9 });
    expect(beyond.envelope.data).toEqual({ totalCount: 24, data: [] });
  });

  it('pages one status, of all games and of one, newest first, to its last row', async () => {
    const games = [await buildGame(server.db), await buildGame(server.db)];
    for (const gameId of games) await generate(gameId);
    const [gameId = 0] = games;
    const opened = (await plansOf(gameId)).slice(100, 145).map(({ id }) => id);
    await setStatus(opened, 'OPENED');
    const all = async (filter: object) => {
      const ids: number[] = [];
      for (let currentPage = 1; ; currentPage++) {
        const page = (await admin.call(pageDrawPlans, { ...filter, currentPage, pageSize: 20 })).envelope
          .data;
        if (!page || page.data.length === 0) return { totalCount: page?.totalCount, ids };
        ids.push(...page.data.map(({ id }) => id));
      }
    };
    expect(await all({ gameId, status: 'OPENED' })).toEqual({ totalCount: 45, ids: opened });
    const { rows } = await sql<{ id: number }>`
      select id from draw_plan where status = 'OPENED' order by id desc`.execute(server.db);
    const every = rows.map(({ id }) => id);
    expect(await all({ status: 'OPENED' })).toEqual({ totalCount: every.length, ids: every });
  });
});

it('when the next plan is due is read from one, however many wait', async () => {
  const { db } = server;
  const gameId = await buildGame(db);
  await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
    select ${gameId}, 'w' || n, now() + n * interval '1 minute', now() + (n + 1) * interval '1 minute', 'WAITTING'
    from generate_series(1000, 21000) n`.execute(db);
  await sql`analyze draw_plan`.execute(server.database.owner);
  const read = await rowsRead(db, ['draw_plan'], async (tx) => {
    for (let look = 0; look < 10; look++) expect(await nextDue(tx, new Date())).toBeGreaterThan(0);
  });
  expect(read).toBeLessThan(100);
});
