import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { releaseApproval } from '#contract/approvals.ts';
import { voidDrawPlan } from '#contract/draw-plans.ts';
import { listGameNumbersByGame } from '#contract/game-numbers.ts';
import { type Game, listGames, updateGame } from '#contract/games.ts';
import { addOdds } from '#contract/odds.ts';
import { listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { addSpider, deleteSpider, pageSpiders, type Spider, updateSpider } from '#contract/spiders.ts';
import { approvalSeenBy, fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { allGrants, buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { buildPlayWay } from '#server/testing/build-play-way.ts';
import { allowPromises } from '#server/testing/draw-permits.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
let second: Awaited<ReturnType<typeof fullOperator>>;
let gameId = 0;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  second = await fullOperator(server);
  const built = await buildPlayWay(admin, ['1', '2', '3']);
  gameId = built.gameId;
  const numbers = (await admin.call(listGameNumbersByGame, { id: gameId })).envelope.data ?? [];
  const numberIds = numbers.map(({ id }) => id);
  await admin.call(addOdds, { playWayId: built.playWayId, numberIds, odds: '2.7' });
  await sql`insert into spider ("gameId", name, "spiderServiceName", url)
    values (${gameId}, '甲', 'OpenCodeSpider', 'http://feed.example/')`.execute(server.db);
  await setParam(server.db, 'approval.enabled', 'true');
});
afterAll(() => server.close());

const whyOf = async (id: number) => (await approvalSeenBy(admin, id)).why;
const release = async (id: number) => (await second.client.call(releaseApproval, { id })).envelope;

const spiderOf = async (name: string): Promise<Spider | undefined> =>
  (await admin.call(pageSpiders, { gameId })).envelope.data?.data.find((each) => each.name === name);
const change = async (fields: Partial<Spider>) => {
  const { id, version, name, url, spiderServiceName, enabled } = given(await spiderOf('甲'));
  const spider = { id, version, gameId, name, url: given(url), spiderServiceName, enabled, ...fields };
  const { remark, options, headers, ...rest } = spider;
  const text = {
    ...(remark ? { remark } : {}),
    ...(options ? { options } : {}),
    ...(headers ? { headers } : {}),
  };
  return admin.call(updateSpider, { ...rest, url: given(rest.url), ...text });
};
const gameOf = async (meant = gameId): Promise<Game> =>
  given((await admin.call(listGames, {})).envelope.data?.find(({ id }) => id === meant));
const changeGame = async (fields: object, meant = gameId) => {
  const { id, version, name, categoryId, openRate, stopBetSecond } = await gameOf(meant);
  return admin.call(updateGame, { id, version, name, categoryId, openRate, stopBetSecond, ...fields });
};

it('a new source waits, and is asked once somebody else releases it', async () => {
  const source = { gameId, name: '乙', spiderServiceName: 'OpenCodeSpider', url: 'http://mine.example/' };
  const id = waiting(await admin.call(addSpider, source));
  expect(await whyOf(id)).toBe('新增开奖采集一律须复核');
  expect(await spiderOf('乙')).toBeUndefined();
  expect((await release(id)).success).toBe(true);
  expect(await spiderOf('乙')).toMatchObject({ enabled: true });
  // Who takes one away decides nothing: what it said last is remembered.
  expect((await admin.call(deleteSpider, { id: given(await spiderOf('乙')).id })).envelope.data).toBe(true);
});

it.each([
  ['采集地址', { url: 'http://mine.example/' }],
  ['采集器', { spiderServiceName: 'PreDrawSpider' }],
  ['采集选项', { options: '{}' }],
  ['请求头', { headers: 'x-who: me' }],
])('a source waits when its %s is another', async (what, fields) => {
  const before = given(await spiderOf('甲'));
  expect(await whyOf(waiting(await change(fields)))).toBe(`修改开奖采集的${what}一律须复核`);
  expect(await spiderOf('甲')).toEqual(before);
});

it('switching a source off, its name, remark and pace wait for nobody; switching it on does', async () => {
  expect((await change({ enabled: false, remark: '维护', pauseMs: 5_000 })).envelope.success).toBe(true);
  const id = waiting(await change({ enabled: true }));
  expect(await whyOf(id)).toBe('启用开奖采集一律须复核');
  expect((await spiderOf('甲'))?.enabled).toBe(false);
  expect((await release(id)).success).toBe(true);
  expect((await spiderOf('甲'))?.enabled).toBe(true);
});

it('fewer sources that must agree wait for who releases draws, more do not', async () => {
  expect((await changeGame({ agreeSources: 3 })).envelope.success).toBe(true);
  const id = waiting(await changeGame({ agreeSources: 2 }));
  expect(await whyOf(id)).toBe('一致来源数由 3 降为 2');
  const grants = (await allGrants(server.db)).filter((path) => path !== 'approval:release:draws');
  const { username } = await buildOperator(server.db, { grants });
  const ofOdds = await server.as(username, PASSWORD);
  expect((await ofOdds.call(releaseApproval, { id })).envelope.msg).toBe('权限不足!');
  expect((await gameOf()).agreeSources).toBe(3);
  expect((await release(id)).success).toBe(true);
  expect((await gameOf()).agreeSources).toBe(2);
});

it('an edit of a game is released although its phases have gone on, and not once somebody else has changed it', async () => {
  const drawing = await buildGame(server.db, { openRate: 1 });
  expect((await changeGame({ agreeSources: 3 }, drawing)).envelope.success).toBe(true);
  const fewer = async () => waiting(await changeGame({ agreeSources: 2 }, drawing));
  const stale = await fewer();
  expect((await changeGame({ introduce: '规则' }, drawing)).envelope.success).toBe(true);
  const id = await fewer();
  const { phase } = await gameOf(drawing);
  await expect.poll(async () => (await gameOf(drawing)).phase, { timeout: 30_000 }).not.toBe(phase);
  expect((await release(stale)).success).toBe(false);
  expect(await release(id)).toMatchObject({ success: true });
  expect((await gameOf(drawing)).agreeSources).toBe(2);
});

it('a rule that is taken away waits for who releases odds, and what both would release is to be made in two', async () => {
  const part = { count: 1, of: ['1', '2', '3'], repeat: false, ordered: true };
  expect((await changeGame({ resultRule: { parts: [part] } })).envelope.success).toBe(true);
  const none = { resultRule: { parts: [] } };
  expect((await changeGame({ ...none, agreeSources: 1 })).envelope.msg).toBe(
    '须由两种复核权限分别放行，请分成两次提交（3 个赔率无法计算返还率，最高的是玩法“猜号”的“1”：赔率 2.7；一致来源数由 2 降为 1）',
  );
  const id = waiting(await changeGame(none));
  expect(await whyOf(id)).toBe('3 个赔率无法计算返还率，最高的是玩法“猜号”的“1”：赔率 2.7');
  expect((await gameOf()).resultRule).not.toBeNull();
  expect((await release(id)).success).toBe(true);
  expect((await gameOf()).resultRule).toBeNull();
});

it('a phase is voided by two', async () => {
  const drawing = await buildGame(server.db, { status: false });
  await allowPromises(server.db, drawing);
  const { rows } = await sql<{ id: number }>`
    insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
    values (${drawing}, '77', now() - interval '2 hours', now() - interval '1 hour', 'OPENING') returning id`.execute(
    server.db,
  );
  // Its seed cannot be opened.
  await sql`insert into draw_commitment ("gameId", phase, rules, commitment, seed)
    values (${drawing}, '77', '{"count":1,"pool":["1","2"],"repeat":true}', ${'0'.repeat(64)}, '\\x00')`.execute(
    server.db,
  );
  const planId = given(rows[0]).id;
  const status = async () =>
    (await server.db.selectFrom('draw_plan').select('status').where('id', '=', planId).executeTakeFirst())
      ?.status;
  const id = waiting(await admin.call(voidDrawPlan, { id: planId, reason: '种子已经丢失' }));
  expect(await status()).toBe('OPENING');
  expect((await release(id)).data).toBe(true);
  expect(await status()).toBe('VOID');
});

it('what bounds a result entered by hand is changed by two', async () => {
  const params = (await admin.call(listParamSettings, {})).envelope.data ?? [];
  for (const key of ['bet.entrySilentMinutes', 'bet.entryWaitMinutes']) {
    const param = given(params.find((each) => each.key === key));
    const id = waiting(await admin.call(updateParamSetting, { ...param, value: '1' }));
    expect(await whyOf(id)).toBe('人工录入开奖结果的参数一律须复核');
  }
});
