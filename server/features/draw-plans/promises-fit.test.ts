import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanDrawPlans, generateDrawPlans, pageDrawPlans } from '#contract/draw-plans.ts';
import { type Game, listGames, updateGame, updateGamePhase } from '#contract/games.ts';
import { addSpider, pageSpiders, type Spider, updateSpider } from '#contract/spiders.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { promisePlans } from './promise-plans.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const digits = [...'0123456789'];
const rule = (of: string[], more: object = {}) => ({
  parts: [{ count: 3, of, repeat: true, ordered: true, ...more }],
});
const draws = (pool: string[], more: object = {}) =>
  JSON.stringify({ count: 3, pool, repeat: true, ...more });

/** A game of three digits. */
async function digitGame(): Promise<number> {
  const gameId = await buildGame(server.db, { openRate: 3_600, status: false });
  await sql`update game set "resultRule" = ${JSON.stringify(rule(digits))}::jsonb where id = ${gameId}`.execute(
    server.db,
  );
  return gameId;
}
/** The plan that opens in a minute, and the next. */
const plan = (gameId: number) =>
  sql`insert into draw_plan ("gameId", phase, "startTime", "endTime")
    select ${gameId}, (2000 + n)::text, now() + interval '1 minute' + n * interval '1 hour',
      now() + interval '61 minutes' + n * interval '1 hour' from generate_series(0, 1) as n`.execute(
    server.db,
  );

type Answer = { msg: string | null; data: unknown };
const told = ({ msg, data }: Answer) =>
  typeof data === 'object' && data !== null && 'errors' in data ? data.errors : msg;
const add = async (gameId: number, options: string, enabled = true) => {
  const spider = { gameId, name: '本地', spiderServiceName: 'LocalDrawSpider', options, enabled };
  return told((await admin.call(addSpider, spider)).envelope);
};
const spiderOf = async (gameId: number): Promise<Spider> =>
  given((await admin.call(pageSpiders, { gameId })).envelope.data?.data[0]);
const change = async (gameId: number, fields: { options?: string; enabled?: boolean }) => {
  const { id, name, spiderServiceName, options, enabled } = await spiderOf(gameId);
  const spider = { id, gameId, name, spiderServiceName, options: given(options), enabled, ...fields };
  return told((await admin.call(updateSpider, spider)).envelope);
};
const gameOf = async (id: number): Promise<Game> =>
  given((await admin.call(listGames, {})).envelope.data?.find((game) => game.id === id));
const changeGame = async (gameId: number, fields: object) => {
  const { id, name, categoryId, openRate, stopBetSecond, resultRule } = await gameOf(gameId);
  const game = { id, name, categoryId, openRate, stopBetSecond, resultRule: given(resultRule), ...fields };
  return told((await admin.call(updateGame, game)).envelope);
};
const promise = () => promisePlans(server.db, createVault(server.config.secret), new Date());
const plansOf = async (gameId: number) =>
  ((await admin.call(pageDrawPlans, { gameId })).envelope.data?.data ?? []).toReversed();

it('a pool that is not the game’s own numbers, or repeats otherwise, is refused from the side of the spider', async () => {
  const gameId = await digitGame();
  expect(await add(gameId, draws(['7']))).toEqual({
    options: '本地开奖的号码范围缺少 0，须与游戏的开奖结果相同',
  });
  const once = draws(digits, { repeat: false });
  expect(await add(gameId, once)).toEqual({
    options: '本地开奖的号码不可重复，游戏的开奖结果可重复',
  });
  expect(await add(gameId, draws(digits.toReversed()))).toBe('新增成功');
  expect(await change(gameId, { options: draws(digits.slice(1)) })).toMatchObject({
    options: expect.stringContaining('缺少 0'),
  });
  expect(await change(gameId, { options: draws(['7']), enabled: false })).toBe('修改成功');
  expect(await change(gameId, { enabled: true })).toMatchObject({
    options: expect.stringContaining('缺少 0'),
  });
});

it('a rule that is not what the game draws by is refused from the side of the game', async () => {
  const gameId = await digitGame();
  expect(await add(gameId, draws(digits))).toBe('新增成功');
  const wider = rule([...digits, '10']);
  expect(await changeGame(gameId, { resultRule: wider })).toEqual({
    resultRule: '本地开奖的号码范围缺少 10，须与游戏的开奖结果相同',
  });
  expect(await changeGame(gameId, { resultRule: rule(digits.slice(1)) })).toEqual({
    resultRule: '本地开奖的号码 0 不在游戏的开奖结果之内',
  });
  expect(await changeGame(gameId, { resultRule: rule(digits, { ordered: false }) })).toBe('修改成功');
  // Both are changed one after the other while it does not draw.
  expect(await change(gameId, { enabled: false })).toBe('修改成功');
  expect(await changeGame(gameId, { resultRule: wider })).toBe('修改成功');
  expect(await change(gameId, { options: draws([...digits, '10']), enabled: true })).toBe('修改成功');
});

it('nor is the rule changed while a phase is promised by another, though its plan be made anew', async () => {
  const gameId = await digitGame();
  expect(await add(gameId, draws(digits))).toBe('新增成功');
  await plan(gameId);
  expect((await promise()).count).toBe(1);
  expect(await change(gameId, { enabled: false })).toBe('修改成功');
  const wider = { resultRule: rule([...digits, '10']) };
  const why = /^期号 2000 已承诺按其他规则开奖（本地开奖的号码范围缺少 10，须与游戏的开奖结果相同）/;
  expect(await changeGame(gameId, wider)).toEqual({ resultRule: expect.stringMatching(why) });
  // Cleared, it can be: but then the phase is not planned again.
  const cleared = (await admin.call(cleanDrawPlans, { gameId })).envelope.success;
  expect(cleared).toBe(true);
  expect(await changeGame(gameId, wider)).toBe('修改成功');
  const { rows } = await sql<{ from: string; to: string }>`
    select (now() - interval '1 hour')::text as from, (now() + interval '2 hours')::text as to`.execute(
    server.db,
  );
  const [{ from, to } = { from: '', to: '' }] = rows;
  await admin.call(updateGamePhase, { id: gameId, phase: '2000' });
  const window = { gameId, beginDate: from.slice(0, 19), endDate: to.slice(0, 19) };
  expect((await admin.call(generateDrawPlans, window)).envelope.msg).toMatch(why);
  expect(await plansOf(gameId)).toEqual([]);
  await admin.call(updateGamePhase, { id: gameId, phase: '3000' });
  expect((await admin.call(generateDrawPlans, window)).envelope.success).toBe(true);
});

it('where they differ from before, nothing is promised, which is alarmed of, until they are mended', async () => {
  const gameId = await digitGame();
  await sql`insert into spider ("gameId", name, "spiderServiceName", options)
    values (${gameId}, '本地', 'LocalDrawSpider', ${draws(['7'])})`.execute(server.db);
  await plan(gameId);
  const reason = '没有承诺开奖：本地开奖的号码范围缺少 0，须与游戏的开奖结果相同';
  expect(await promise()).toEqual({ count: 0, failed: [{ gameId, phase: '2000', reason }] });
  expect(await plansOf(gameId)).toMatchObject([
    { phase: '2000', commitment: null, alarm: reason },
    { phase: '2001', commitment: null, alarm: null },
  ]);
  // It is left alone for a while, and what has nothing to do with it goes on.
  expect(await promise()).toEqual({ count: 0, failed: [] });
  expect(await changeGame(gameId, { stopBetSecond: 5 })).toBe('修改成功');
  expect(await change(gameId, { enabled: false })).toBe('修改成功');
  expect(await change(gameId, { enabled: true, options: draws(digits) })).toBe('修改成功');
  await sql`update draw_alarm set "nextTime" = now() where "gameId" = ${gameId}`.execute(server.db);
  // It is seen as one that draws by itself before it may promise.
  await promise();
  await expect
    .poll(async () => {
      await promise();
      return (await plansOf(gameId))[0];
    })
    .toMatchObject({ commitment: expect.any(String), alarm: null });
});
