import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { addGameCategory, pageGameCategories, updateGameCategory } from '#contract/game-categories.ts';
import { addGameNumber, pageGameNumbers, updateGameNumber } from '#contract/game-numbers.ts';
import { deleteGame, getGameDependents, listGames, updateGame } from '#contract/games.ts';
import { addOdds, updateOdds } from '#contract/odds.ts';
import {
  addPlayWayCategory,
  pagePlayWayCategories,
  updatePlayWayCategory,
} from '#contract/play-way-categories.ts';
import { addPlayWaySubCategory, updatePlayWaySubCategory } from '#contract/play-way-sub-categories.ts';
import { addPlayWay, pagePlayWays, updatePlayWay } from '#contract/play-ways.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

/** The id that an addition answers. */
async function added<E extends AnyEndpoint>(endpoint: E, input: WireInput<E>): Promise<number> {
  const { envelope } = await admin.call(endpoint, input);
  if (typeof envelope.data !== 'number') throw new Error(envelope.msg ?? 'no id');
  return envelope.data;
}

/** What a call says and what is wrong with which field. */
async function told<E extends AnyEndpoint>(endpoint: E, input: WireInput<E>) {
  const { msg, data } = (await admin.call(endpoint, input)).envelope;
  return typeof data === 'object' && data !== null && 'errors' in data ? data.errors : msg;
}

/** A game with some numbers and one play way in a sub-category. */
async function buildPlayWay(...numbers: string[]) {
  const gameId = await buildGame(server.db, { numbers });
  const reading = { gameId, name: '冠军', resultIndex: '0', resultHandlerName: 'ValueHandler' };
  const { id: betLatitudeId } = await server.db
    .insertInto('bet_latitude')
    .values({ ...reading, handlerOptions: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const parentCategoryId = await added(addPlayWayCategory, { gameId, name: '号码' });
  const subCategoryId = await added(addPlayWaySubCategory, { parentCategoryId, name: '冠军' });
  const playWayId = await added(addPlayWay, { subCategoryId, betLatitudeId, name: '冠军号码' });
  const rows = (await admin.call(pageGameNumbers, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];
  const idOf = (number: string) => given(rows.find((row) => row.number === number)?.id);
  return { gameId, betLatitudeId, parentCategoryId, subCategoryId, playWayId, idOf };
}

const oddsOf = async (gameId: number) =>
  (await admin.call(pagePlayWays, { gameId })).envelope.data?.data[0]?.odds.map(({ number, odds }) => [
    number,
    odds,
  ]);

describe('changes to the catalogue', () => {
  it('of a game category: name, icon and order; never to a name that is taken', async () => {
    const id = await added(addGameCategory, { name: '改前', index: 8, iconClass: 'StarOutlined' });
    await added(addGameCategory, { name: '已有' });
    expect(await told(updateGameCategory, { id, name: '已有', index: 1 })).toEqual({
      name: '分类名称已存在',
    });
    expect(await told(updateGameCategory, { id, name: '改后', index: 2, iconClass: '' })).toBe('修改成功');
    const found = (await admin.call(pageGameCategories, { name: '改' })).envelope.data;
    const now = { id, version: 2, name: '改后', iconClass: null, index: 2 };
    expect(found).toEqual({ totalCount: 1, data: [now] });
    expect(await told(updateGameCategory, { id: 999_999, name: '无', index: 1 })).toBe('记录不存在');
  });

  it('of the odds of a number: as they were seen, or refused with what they are by now', async () => {
    const { gameId, playWayId, idOf } = await buildPlayWay('1', '2');
    await admin.call(addOdds, { playWayId, numberIds: [idOf('1'), idOf('2')], odds: '1.9' });
    const rows = async () => (await admin.call(pagePlayWays, { gameId })).envelope.data?.data[0]?.odds;
    const row = given((await rows())?.[0]);
    expect(row).toMatchObject({ playWayId, version: 1, numberId: idOf('1'), odds: '1.9' });
    const { id, version } = row;
    expect(await told(updateOdds, { id, version, odds: '0' })).toEqual({ odds: expect.any(String) });
    expect(await told(updateOdds, { id, version, odds: '1.85' })).toBe('修改成功');
    const late = (await admin.call(updateOdds, { id, version, odds: '1.95' })).envelope;
    expect(late.data).toEqual({ current: { id, version: 2, odds: '1.85' } });
    expect(await told(updateOdds, { id: 999_999, odds: '1.95' })).toBe('记录不存在');
    expect(await oddsOf(gameId)).toEqual([
      ['1', '1.85'],
      ['2', '1.9'],
    ]);
  });

  it('of a number: as it is written, with what it says; in one game each once', async () => {
    const gameId = await buildGame(server.db, { numbers: ['1', '2'] });
    const id = await added(addGameNumber, { gameId, number: '03' });
    expect(await told(updateGameNumber, { id, number: '2' })).toEqual({ number: '号码 2 已存在' });
    expect(await told(updateGameNumber, { id, number: '07', desc: '第七' })).toBe('修改成功');
    const page = (await admin.call(pageGameNumbers, { gameId })).envelope.data;
    expect(page?.data.find((row) => row.id === id)).toMatchObject({ gameId, number: '07', desc: '第七' });
    expect(page?.totalCount).toBe(3);
    // The same number in another game is another number.
    const other = await buildGame(server.db);
    expect(await told(addGameNumber, { gameId: other, number: '07' })).toBe('新增成功');
    expect(await told(updateGameNumber, { id: 999_999, number: '1' })).toBe('记录不存在');
  });

  it('of categories and sub-categories: each by its own call, no two of one name side by side', async () => {
    const { gameId, parentCategoryId: id, subCategoryId } = await buildPlayWay();
    await added(addPlayWayCategory, { gameId, name: '两面' });
    await added(addPlayWaySubCategory, { parentCategoryId: id, name: '亚军' });
    const changed = { countOfRows: 8, hideName: true };
    expect(await told(updatePlayWayCategory, { id, name: '两面', ...changed })).toEqual({
      name: '分类名称已存在',
    });
    expect(await told(updatePlayWaySubCategory, { id: subCategoryId, name: '亚军', ...changed })).toEqual({
      name: '分类名称已存在',
    });
    expect(await told(updatePlayWaySubCategory, { id, name: '错层', ...changed })).toBe('记录不存在');
    expect(await told(updatePlayWayCategory, { id: subCategoryId, name: '错层', ...changed })).toBe(
      '记录不存在',
    );
    for (const countOfRows of [0, 101])
      expect(await told(updatePlayWayCategory, { id, name: '号码', countOfRows })).toMatchObject({
        countOfRows: expect.stringMatching(/^每行数量/),
      });
    expect(await told(updatePlayWayCategory, { id, name: '定位', ...changed })).toBe('修改成功');
    // A sub-category may be called as a category is.
    expect(await told(updatePlayWaySubCategory, { id: subCategoryId, name: '定位', ...changed })).toBe(
      '修改成功',
    );
    // Whether a name is hidden stays where nothing is said of it.
    const { hideName: _, ...unsaid } = changed;
    await admin.call(updatePlayWayCategory, { id, name: '定位', ...unsaid });
    await admin.call(updatePlayWaySubCategory, { id: subCategoryId, name: '定位', ...unsaid });
    const tree = (await admin.call(pagePlayWayCategories, { gameId })).envelope.data;
    expect(tree?.data[1]).toMatchObject({
      ...{ id, name: '定位', ...changed },
      subCategories: [
        { id: subCategoryId, name: '定位', parentCategoryId: id, ...changed },
        { name: '亚军', countOfRows: 5, hideName: false },
      ],
    });
  });

  it('of a play way: moved within its game, never to another one', async () => {
    const { gameId, betLatitudeId, parentCategoryId, playWayId: id } = await buildPlayWay();
    const other = await buildPlayWay();
    const to = await added(addPlayWaySubCategory, { parentCategoryId, name: '亚军' });
    const fields = { id, betLatitudeId, name: '亚军号码', showRate: '9.9' };
    expect(await told(updatePlayWay, { ...fields, subCategoryId: to })).toBe('修改成功');
    const read = async () => (await admin.call(pagePlayWays, { gameId })).envelope.data?.data;
    expect(await read()).toMatchObject([{ ...fields, subCategoryId: to, categoryId: parentCategoryId }]);
    expect(await told(updatePlayWay, { ...fields, subCategoryId: other.subCategoryId })).toEqual({
      betLatitudeId: '该游戏没有这个投注维度',
    });
    const { subCategoryId, betLatitudeId: theirs } = other;
    expect(await told(updatePlayWay, { ...fields, subCategoryId, betLatitudeId: theirs })).toEqual({
      subCategoryId: '不能移到另一个游戏',
    });
    expect(await read()).toMatchObject([{ ...fields, subCategoryId: to }]);
  });
});

describe('odds for several numbers', () => {
  it('are given to all or to none, naming each number that has some', async () => {
    const { gameId, playWayId, idOf } = await buildPlayWay('1', '2', '3', '4', '5');
    const give = (numbers: string[], odds: string) =>
      told(addOdds, { playWayId, numberIds: numbers.map(idOf), odds });
    expect(await give(['2', '4'], '9.85')).toBe('新增成功');
    expect(await give(['1', '2', '3', '4', '5'], '7')).toEqual({ numberIds: '号码 2、4 已有赔率，请先删除' });
    expect(await oddsOf(gameId)).toEqual([
      ['2', '9.85'],
      ['4', '9.85'],
    ]);
    expect(await give(['1', '3', '5'], '7.5')).toBe('新增成功');
    expect(await oddsOf(gameId)).toHaveLength(5);
  });

  it('are given to nobody when one of the numbers is not there', async () => {
    const { gameId, playWayId, idOf } = await buildPlayWay('1', '2');
    const numberIds = [idOf('1'), idOf('2'), 999_999];
    expect(await told(addOdds, { playWayId, numberIds, odds: '2' })).toEqual({
      numberIds: '号码不属于该玩法的游戏',
    });
    expect(await oddsOf(gameId)).toEqual([]);
  });
});

describe('deleting a game', () => {
  const record = (gameId: number) => sql`
    insert into draw_record ("gameId", phase, result, "openTime") values (${gameId}, '1', '1,2,3', now())`;
  const plan = (gameId: number, status: string, minutesFromNow: number) => sql`
    insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
    select ${gameId}, '9', at, at + interval '1 hour', ${status} from (values (now() + interval '1 minute' * ${minutesFromNow})) as t (at)`;
  const isThere = async (id: number) =>
    (await admin.call(listGames, {})).envelope.data?.some((game) => game.id === id);

  it('is refused while it has draws or anything that may have been bet on, and nothing goes', async () => {
    const cases = [
      { build: record, msg: '该游戏已有开奖记录，不能删除，可以停用' },
      {
        build: (id: number) => plan(id, 'WAITTING', -1),
        msg: '该游戏已有开始投注或开奖的期次，不能删除，可以停用',
      },
      {
        build: (id: number) => plan(id, 'OPENED', -60),
        msg: '该游戏已有开始投注或开奖的期次，不能删除，可以停用',
      },
      {
        build: (id: number) => plan(id, 'OPENING', -60),
        msg: '该游戏已有开始投注或开奖的期次，不能删除，可以停用',
      },
    ];
    for (const { build, msg } of cases) {
      const { gameId: id } = await buildPlayWay('1', '2');
      await build(id).execute(server.db);
      expect(await told(deleteGame, { id })).toBe(msg);
      expect(await isThere(id)).toBe(true);
      const { data } = (await admin.call(getGameDependents, { id })).envelope;
      expect(data).toMatchObject({ numbers: 2, playWays: 1, betLatitudes: 1 });
      // Whoever asks first is told that it cannot go, and is offered no button that would refuse.
      expect(data?.begun || (data?.records ?? 0) > 0).toBe(true);
    }
  });

  it('takes plans to come, play ways, odds and numbers along, after they were named', async () => {
    const { gameId: id, playWayId, idOf } = await buildPlayWay('1', '2');
    await told(addOdds, { playWayId, numberIds: [idOf('1')], odds: '2' });
    await plan(id, 'WAITTING', 60).execute(server.db);
    const { data } = (await admin.call(getGameDependents, { id })).envelope;
    const dependents = { numbers: 2, betLatitudes: 1, playWays: 1, plans: 1, records: 0, spiders: 0 };
    expect(data).toEqual({ ...dependents, begun: false });
    expect(await told(deleteGame, { id })).toBe('删除成功');
    expect(await isThere(id)).toBe(false);
    for (const table of ['draw_plan', 'play_way', 'game_number', 'bet_latitude', 'play_way_category']) {
      const left = await sql`select from ${sql.table(table)} where "gameId" = ${id}`.execute(server.db);
      expect(left.rows, table).toHaveLength(0);
    }
  });
});

it('an update of a game with null for its lists leaves numbers that have odds and ranges alone', async () => {
  const { gameId: id, playWayId, idOf } = await buildPlayWay('1', '2');
  await told(addOdds, { playWayId, numberIds: [idOf('1'), idOf('2')], odds: '1.9' });
  const read = async () => (await admin.call(listGames, {})).envelope.data?.find((game) => game.id === id);
  const before = await read();
  const { name = '', categoryId = 0, openRate = 0 } = before ?? {};
  const fields = { id, name, categoryId, openRate, stopBetSecond: 7 };
  expect(await told(updateGame, { ...fields, numbers: null as never, timeRanges: null as never })).toBe(
    '修改成功',
  );
  expect(await read()).toMatchObject({
    stopBetSecond: 7,
    numbers: before?.numbers,
    timeRanges: before?.timeRanges,
  });
  expect(await told(updateGame, { ...fields, numbers: [{ number: '1' }] })).toEqual({
    numbers: expect.stringContaining('2'),
  });
  expect(await oddsOf(id)).toHaveLength(2);
});
