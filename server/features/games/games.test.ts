import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addGameCategory } from '#contract/game-categories.ts';
import * as games from '#contract/games.ts';
import { given } from '#server/testing/given.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

let serial = 0;
async function buildGame(fields: object = {}) {
  const admin = await server.admin();
  const name = `游戏 ${++serial}`;
  const categoryId = given((await admin.call(addGameCategory, { name })).envelope.data);
  const game = { name, categoryId, openRate: 300, stopBetSecond: 30, ...fields };
  return { ...game, id: given((await admin.call(games.addGame, game)).envelope.data) };
}

async function read(id: number) {
  const { envelope } = await (await server.admin()).call(games.listGames, {});
  return envelope.data?.find((game) => game.id === id);
}

describe('games', () => {
  it('come with ranges, numbers and rules, and start off, at the first phase of their rule', async () => {
    const { id } = await buildGame({
      introduce: '第一行\n第二行',
      phaseRule: 'DAILY',
      numbers: [{ number: '01' }, { number: '大', desc: '和值大' }],
      timeRanges: [
        { start: '22:00:00', end: '02:00:00', openRate: 600 },
        { start: '09:00:00', end: '22:00:00' },
      ],
    });
    expect(await read(id)).toMatchObject({
      introduce: '第一行\n第二行',
      phase: expect.stringMatching(/^20\d{9}$/),
      status: false,
      betStatus: false,
      timeRanges: [
        { start: '09:00:00', end: '22:00:00' },
        { start: '22:00:00', end: '02:00:00', openRate: 600 },
      ],
      timeRangesDesc: '09:00:00-22:00:00；22:00:00-02:00:00（每 600 秒一期）',
      numbers: [
        { number: '01', desc: null },
        { number: '大', desc: '和值大' },
      ],
    });
  });

  it('are found by name and by both flags', async () => {
    const admin = await server.admin();
    const { id, name } = await buildGame({ name: '幸运_飞艇' });
    await admin.call(games.changeGameStatus, { id, status: true });
    const found = async (filter: object) =>
      (await admin.call(games.pageGames, { name: '运_飞', ...filter })).envelope.data?.data.map(
        (game) => game.name,
      );
    expect(await found({})).toEqual([name]);
    expect(await found({ status: true, betStatus: false })).toEqual([name]);
    expect(await found({ betStatus: true })).toEqual([]);
  });

  it('keep ranges and numbers when an update sends null for them, and their ids when it sends the same', async () => {
    const admin = await server.admin();
    const { id, ...fields } = await buildGame({
      numbers: [{ number: '1' }, { number: '2' }],
      timeRanges: [{ start: '00:00:00', end: '23:59:59' }],
    });
    const before = await read(id);
    const kept = { ...fields, id, timeRanges: null, numbers: null } as const;
    await admin.call(games.updateGame, { ...kept, openRate: 60 } as never);
    expect(await read(id)).toMatchObject({
      numbers: before?.numbers,
      timeRanges: before?.timeRanges,
      openRate: 60,
    });
    const numbers = [{ number: '2', desc: '二' }, { number: '3' }];
    await admin.call(games.updateGame, { ...fields, id, timeRanges: [], numbers });
    const after = await read(id);
    expect(after?.timeRanges).toEqual([]);
    expect(after?.numbers.map(({ number, desc }) => [number, desc])).toEqual([
      ['2', '二'],
      ['3', null],
    ]);
    expect(after?.numbers[0]?.id).toBe(before?.numbers[1]?.id);
  });

  it('refuse what cannot be, at the field, and change nothing', async () => {
    const admin = await server.admin();
    const { id: _, ...fields } = await buildGame();
    const errors = async (changes: object) =>
      (await admin.call(games.addGame, { ...fields, name: '新的', ...changes })).envelope.data;
    const count = (await admin.call(games.listGames, {})).envelope.data?.length;
    expect(await errors({ name: fields.name })).toEqual({ errors: { name: '游戏名称已存在' } });
    expect(await errors({ categoryId: 999_999 })).toEqual({ errors: { categoryId: '游戏分类不存在' } });
    expect(await errors({ stopBetSecond: 300 })).toEqual({
      errors: { stopBetSecond: '封盘秒数须小于开奖间隔秒数' },
    });
    expect(await errors({ phase: '12a' })).toMatchObject({ errors: { phase: expect.any(String) } });
    expect(await errors({ numbers: [{ number: '1' }, { number: '1' }] })).toEqual({
      errors: { numbers: '号码 1 已存在' },
    });
    expect((await admin.call(games.listGames, {})).envelope.data).toHaveLength(count ?? 0);
  });

  it('toggle, take a phase with leading zeros, and go with what hangs from them', async () => {
    const admin = await server.admin();
    const { id, name } = await buildGame({ numbers: [{ number: '1' }] });
    const betting = await admin.call(games.changeGameBetStatus, { id, betStatus: true });
    expect(betting.envelope.msg).toBe(`游戏“${name}”已开放投注`);
    const stopped = await admin.call(games.changeGameStatus, { id, status: false });
    expect(stopped.envelope.msg).toBe(`游戏“${name}”已停用`);
    await admin.call(games.updateGamePhase, { id, phase: '00123' });
    expect(await read(id)).toMatchObject({ betStatus: true, status: false, phase: '00123' });
    const { data } = (await admin.call(games.getGameDependents, { id })).envelope;
    expect(data).toMatchObject({ numbers: 1, playWays: 0, records: 0 });
    expect((await admin.call(games.deleteGame, { id })).envelope.msg).toBe('删除成功');
    expect((await admin.call(games.deleteGame, { id })).envelope.msg).toBe('记录不存在');
    expect(await read(id)).toBeUndefined();
  });
});

describe('betting times', () => {
  it('are added and removed one by one; an overlap is refused with the range it meets', async () => {
    const admin = await server.admin();
    const { id: gameId } = await buildGame({ timeRanges: [{ start: '22:00:00', end: '02:00:00' }] });
    const add = async (start: string, end: string, openRate?: number) =>
      (await admin.call(games.addBetTimeRange, { gameId, start, end, openRate })).envelope;
    expect((await add('01:59:59', '05:00:00')).msg).toBe(
      '投注时间 01:59:59-05:00:00 与 22:00:00-02:00:00 重叠',
    );
    expect((await add('09:00:00', '10:00:00', 30)).msg).toBe(
      '投注时间 09:00:00-10:00:00 的开奖间隔须大于封盘秒数 30',
    );
    const { data: id } = await add('02:00:00', '22:00:00', 600);
    expect((await read(gameId))?.timeRanges).toHaveLength(2);
    await admin.call(games.deleteBetTimeRange, { id: given(id) });
    expect((await read(gameId))?.timeRanges).toHaveLength(1);
    expect((await admin.call(games.deleteBetTimeRange, { id: given(id) })).envelope.msg).toBe('记录不存在');
  });

  it('start on some days of the week only where that is said, and are told so', async () => {
    const admin = await server.admin();
    const evening = { start: '20:00:00', end: '02:00:00' };
    const { id: gameId, ...fields } = await buildGame({ timeRanges: [{ ...evening, weekdays: [7, 3] }] });
    const add = async (range: object) =>
      (await admin.call(games.addBetTimeRange, { gameId, ...evening, ...range })).envelope;
    expect(await read(gameId)).toMatchObject({
      timeRanges: [{ ...evening, weekdays: [3, 7] }],
      timeRangesDesc: '周三、周日 20:00:00-02:00:00',
    });
    // Sunday's night is Monday's early morning.
    expect((await add({ start: '01:00:00', weekdays: [1] })).msg).toBe(
      '投注时间 周一 01:00:00-02:00:00 与 周三、周日 20:00:00-02:00:00 重叠',
    );
    expect((await add({ start: '01:00:00', weekdays: ['2', '3'] })).success).toBe(true);
    // As a form sends one day, and as it sends none.
    expect((await add({ end: '21:00:00', weekdays: '6' as never })).success).toBe(true);
    expect((await add({ start: '05:00:00', end: '06:00:00', weekdays: [] })).success).toBe(true);
    const shown = (await read(gameId))?.timeRanges.map(({ start, weekdays }) => [start, weekdays]);
    expect(shown?.toSorted()).toEqual([
      ['01:00:00', [2, 3]],
      ['05:00:00', undefined],
      ['20:00:00', [3, 7]],
      ['20:00:00', [6]],
    ]);
    const all = { ...evening, weekdays: [1, 2, 3, 4, 5, 6, 7] };
    await admin.call(games.updateGame, { ...fields, id: gameId, timeRanges: [all] });
    expect((await read(gameId))?.timeRanges).toEqual([{ id: expect.any(Number), ...evening }]);
  });

  it('refuse days that are none', async () => {
    const admin = await server.admin();
    const { id: gameId } = await buildGame();
    const range = { gameId, start: '10:00:00', end: '11:00:00' };
    for (const weekdays of [[0], [8], [1, 1], ['x'], [1.5]])
      expect(
        (await admin.call(games.addBetTimeRange, { ...range, weekdays })).envelope.data,
        String(weekdays),
      ).toEqual({ errors: { weekdays: expect.stringMatching(/^星期/) } });
    expect((await read(gameId))?.timeRanges).toEqual([]);
  });

  it('never overlap, however many are added at once', async () => {
    const admin = await server.admin();
    const { id: gameId } = await buildGame();
    const range = { gameId, start: '10:00:00', end: '11:00:00' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => admin.call(games.addBetTimeRange, range)),
    );
    expect(answers.filter(({ envelope }) => envelope.success)).toHaveLength(1);
  });
});
