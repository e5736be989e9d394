import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listChangedNames, pageChangeRecords } from '#contract/change-records.ts';
import { generateDrawPlans } from '#contract/draw-plans.ts';
import { addGameNumbers, listGameNumbersByGame } from '#contract/game-numbers.ts';
import { addBetTimeRange, deleteBetTimeRange } from '#contract/games.ts';
import { listMenus } from '#contract/menus.ts';
import { putBackOrder, takeNextOrder, takeOrder } from '#contract/money-desk.ts';
import { addNews, deleteNews, updateNews } from '#contract/news.ts';
import { addNewsCategory, deleteNewsCategory, updateNewsCategory } from '#contract/news-categories.ts';
import { addOdds } from '#contract/odds.ts';
import { createUser, placeDeposit } from '#contract/platform.ts';
import { setPlayerLimit } from '#contract/player-limits.ts';
import { addRole, bindRoleMenus, deleteRole, updateRole } from '#contract/roles.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { buildPlayWay } from '#server/testing/build-play-way.ts';
import { given } from '#server/testing/given.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('shows who did what to which row, from what to what, from where and how it ended', async () => {
  const admin = await server.admin();
  const id = given((await admin.call(addRole, { desc: '甲', name: 'first' })).envelope.data);
  await admin.call(updateRole, { id, desc: '乙', name: 'first' });
  const { data } = (await admin.call(pageChangeRecords, { summary: '编辑角色' })).envelope;
  expect(data?.totalCount).toBe(1);
  expect(data?.data[0]).toMatchObject({
    userName: 'admin',
    summary: '编辑角色',
    call: 'updateRole',
    targetId: String(id),
    outcome: 'SUCCESS',
    before: { id, desc: '甲', name: 'first' },
    after: { id, desc: '乙', name: 'first' },
    input: { id, desc: '乙', name: 'first' },
    address: expect.stringMatching(/127\.0\.0\.1/),
  });
});

it('is searched by operator, row, outcome, address and time', async () => {
  const admin = await server.admin();
  const { username, password } = await buildOperator(server.db);
  await (await server.as(username, password)).call(deleteRole, { id: 987_654 });
  const count = async (filter: object) =>
    (await admin.call(pageChangeRecords, filter)).envelope.data?.totalCount;
  expect(await count({ userName: username.toUpperCase(), outcome: 'DENIED' })).toBe(1);
  expect(await count({ targetId: '987654' })).toBe(1);
  expect(await count({ targetId: '98765' })).toBe(0);
  expect(await count({ userName: username, outcome: 'FAULT' })).toBe(0);
  expect(await count({ address: '127.0.0.', userName: username })).toBeGreaterThan(0);
  expect(await count({ createTimeRange: ['2000-01-01 00:00:00', '2000-01-02 00:00:00'] })).toBe(0);
});

it('calls the players’ site by its name, also in what was written down before it had one', async () => {
  const admin = await server.admin();
  const { envelope } = await server.site().call(createUser, { nickName: '站点用户' });
  await sql`insert into change_record ("userName", call, summary, input, address, outcome)
    values ('', 'createUser', '平台创建用户', '{}', '10.0.0.9', 'SUCCESS')`.execute(server.db);
  const { data } = (await admin.call(pageChangeRecords, { userName: '平台接口' })).envelope;
  expect(data?.data).toMatchObject([
    { userName: '平台接口', address: '10.0.0.9' },
    { userName: '平台接口', targetId: String(given(envelope.data)), call: 'createUser' },
  ]);
});

describe('the rows that a change names', () => {
  const namesOf = async (summary: string) => {
    const admin = await server.admin();
    const records = (await admin.call(pageChangeRecords, { summary })).envelope.data?.data;
    const record = records?.find((each) => each.summary === summary);
    return (await admin.call(listChangedNames, { id: given(record?.id) })).envelope.data;
  };

  it('are told by the names they have now, as long as they are there', async () => {
    const admin = await server.admin();
    const category = async (name: string) =>
      given((await admin.call(addNewsCategory, { name })).envelope.data);
    const [from, to] = [await category('旧分类'), await category('新分类')];
    const fields = { title: '一', content: '一' };
    const id = given((await admin.call(addNews, { ...fields, categoryId: from })).envelope.data);
    await admin.call(updateNews, { ...fields, id, categoryId: to });
    await admin.call(updateNewsCategory, { id: to, name: '改名' });
    const named = (row: number, name: string) => ({ noun: 'newsCategory', id: row, name, find: {} });
    expect(await namesOf('编辑新闻')).toEqual(
      expect.arrayContaining([named(from, '旧分类'), named(to, '改名')]),
    );
    await admin.call(deleteNewsCategory, { id: from });
    // The row it was about comes first; the category that has gone is told no more.
    const about = { noun: 'news', id, name: '一', find: { categoryId: String(to) } };
    expect(await namesOf('编辑新闻')).toEqual([about, named(to, '改名')]);
    await admin.call(deleteNews, { id });
    expect(await namesOf('删除新闻')).toEqual([named(to, '改名')]);
  });

  it('are found by what their screen searches by', async () => {
    const admin = await server.admin();
    const rid = given((await admin.call(addRole, { desc: '客服', name: 'service' })).envelope.data);
    const [menu] = (await admin.call(listMenus, {})).envelope.data ?? [];
    await admin.call(bindRoleMenus, { rid, menuIds: [given(menu?.id)] });
    expect(await namesOf('分配菜单')).toEqual([
      { noun: 'role', id: rid, name: '客服', find: { name: 'service' } },
      { noun: 'menu', id: menu?.id, name: menu?.title, find: { title: menu?.title } },
    ]);
  });

  it('are of a betting time its game, and not the one that has its number', async () => {
    const admin = await server.admin();
    const build = (name: string) => buildGame(server.db, { name, timeRanges: [] });
    const [other, gameId] = [await build('别的游戏'), await build('改时间的游戏')];
    const range = { gameId, start: '10:00:00', end: '12:00:00' };
    const id = given((await admin.call(addBetTimeRange, range)).envelope.data);
    expect(id).toBe(other);
    await admin.call(deleteBetTimeRange, { id });
    for (const summary of ['新增投注时间', '删除投注时间']) {
      const names = (await namesOf(summary))?.filter(({ noun }) => noun === 'game');
      expect(names?.map(({ name }) => name)).toEqual(['改时间的游戏']);
      const ofGame = { summary, noun: '游戏', targetId: String(gameId) };
      expect((await admin.call(pageChangeRecords, ofGame)).envelope.data?.totalCount).toBe(1);
    }
  });

  it('are of many numbers the first of them, and not the one that has the number of their game', async () => {
    const admin = await server.admin();
    await buildGame(server.db);
    const gameId = await buildGame(server.db);
    // As many as there are games, so that one of them has the number of this one.
    const numbers = Array.from({ length: gameId }, (_, index) => `号码${index + 1}`);
    expect((await admin.call(addGameNumbers, { gameId, numbers })).envelope.data).toBe(gameId);
    const names = (await namesOf('批量新增号码'))?.filter(({ noun }) => noun === 'gameNumber');
    expect(names?.map(({ name }) => name)).toEqual(['号码1']);
  });

  it('are asked for by those who may read the record, of records that there are', async () => {
    const admin = await server.admin();
    expect((await admin.call(listChangedNames, { id: 987_654 })).envelope.msg).toBe('记录不存在');
    const { username, password } = await buildOperator(server.db, { grants: ['/main/news/news'] });
    const answer = await (await server.as(username, password)).call(listChangedNames, { id: 1 });
    expect(answer.status).toBe(403);
  });
});

describe('what was done to a row', () => {
  /** The calls that the drawer of a row shows, the newest first. */
  async function callsOf(noun: string, id: number) {
    const admin = await server.admin();
    const { data } = (await admin.call(pageChangeRecords, { noun, targetId: String(id) })).envelope;
    return data?.data.map(({ call }) => call);
  }

  it('is found by its noun where the call stands under another, and not at what has the same number', async () => {
    const admin = await server.admin();
    const { gameId, playWayId } = await buildPlayWay(admin, ['1', '2']);
    await admin.call(generateDrawPlans, {
      ...{ gameId, beginDate: '2030-01-01 00:00:00', endDate: '2030-01-01 01:00:00' },
    });
    const numbers = given((await admin.call(listGameNumbersByGame, { id: gameId })).envelope.data);
    await admin.call(addOdds, { playWayId, numberIds: numbers.map(({ id }) => id), odds: '2' });
    expect(await callsOf('游戏', gameId)).toContain('generateDrawPlans');
    expect(await callsOf('开奖计划', gameId)).toEqual([]);
    expect(await callsOf('玩法', playWayId)).toContain('addOdds');
    expect(await callsOf('赔率', playWayId)).toEqual([]);
  });

  it('is with an order that it was taken, and not with one of the other kind', async () => {
    const admin = await server.admin();
    const userId = given((await server.site().call(createUser, { nickName: '领取' })).envelope.data);
    const order = { userId, amount: '10', type: 'BANK_TRANSFER', bankOrderNo: randomUUID() } as const;
    const id = given((await server.site().call(placeDeposit, order)).envelope.data);
    await admin.call(takeOrder, { kind: 'DEPOSIT', id });
    await admin.call(putBackOrder, { kind: 'DEPOSIT', id });
    await admin.call(takeNextOrder, {});
    expect(await callsOf('充值订单', id)).toEqual([
      'takeNextOrder',
      'putBackOrder',
      'takeOrder',
      'placeDeposit',
    ]);
    expect(await callsOf('提现订单', id)).toEqual([]);
    expect(await callsOf('资金工作台', id)).toEqual(['takeNextOrder', 'putBackOrder', 'takeOrder']);
  });

  it('is with a player what they may bet', async () => {
    const admin = await server.admin();
    const userId = given((await server.site().call(createUser, { nickName: '限额' })).envelope.data);
    await admin.call(setPlayerLimit, {
      userId,
      kind: 'LOSS',
      period: 'DAY',
      amount: '10',
      reason: '应本人要求',
    });
    expect(await callsOf('用户', userId)).toEqual(['setPlayerLimit', 'createUser']);
  });
});
