import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as latitudes from '#contract/bet-latitudes.ts';
import { addGameCategory, deleteGameCategory, pageGameCategories } from '#contract/game-categories.ts';
import {
  addGameNumber,
  addGameNumbers,
  deleteGameNumber,
  listGameNumbersByGame,
  pageGameNumbers,
} from '#contract/game-numbers.ts';
import { addGame, deleteGame } from '#contract/games.ts';
import { addOdds, deleteOdds, previewOdds, previewOddsTable, setOdds } from '#contract/odds.ts';
import * as categories from '#contract/play-way-categories.ts';
import * as subCategories from '#contract/play-way-sub-categories.ts';
import * as playWays from '#contract/play-ways.ts';
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

let serial = 0;
const latitude = { name: '冠军大小', resultIndex: '0', resultHandlerName: 'BigSmallHandler' };

/** A game with numbers 大, 小, 1 … 3, one latitude and one play way in a sub-category. */
async function buildPlayWay() {
  const name = `彩种 ${++serial}`;
  const made = async (answer: Promise<{ envelope: { data: number | null } }>) =>
    given((await answer).envelope.data);
  const categoryId = await made(admin.call(addGameCategory, { name }));
  const numbers = ['大', '小', '1', '2', '3'].map((number) => ({ number }));
  const gameId = await made(
    admin.call(addGame, { name, categoryId, openRate: 300, stopBetSecond: 30, numbers }),
  );
  const betLatitudeId = await made(admin.call(latitudes.addBetLatitude, { gameId, ...latitude }));
  const parentCategoryId = await made(admin.call(categories.addPlayWayCategory, { gameId, name: '两面' }));
  const subCategoryId = await made(
    admin.call(subCategories.addPlayWaySubCategory, { parentCategoryId, name: '冠军', countOfRows: 4 }),
  );
  const fields = { subCategoryId, betLatitudeId, name: '大小', showRate: '1.985' };
  const id = await made(admin.call(playWays.addPlayWay, fields));
  const list = (await admin.call(listGameNumbersByGame, { id: gameId })).envelope.data ?? [];
  const numberId = (number: string) => given(list.find((each) => each.number === number)?.id);
  return { categoryId, gameId, betLatitudeId, parentCategoryId, subCategoryId, id, fields, numberId };
}

async function readPlayWay(gameId: number) {
  return (await admin.call(playWays.pagePlayWays, { gameId })).envelope.data?.data[0];
}

describe('game categories', () => {
  it('are listed by index, and stay while games are filed under them', async () => {
    const { categoryId } = await buildPlayWay();
    await admin.call(addGameCategory, { name: '排在后面', index: 9 });
    await admin.call(addGameCategory, { name: '排在前面', index: 3, iconClass: 'TrophyOutlined' });
    const page = (await admin.call(pageGameCategories, { name: '排在', pageSize: 9999 })).envelope.data;
    expect(page?.data.map(({ name }) => name)).toEqual(['排在前面', '排在后面']);
    expect((await admin.call(deleteGameCategory, { id: categoryId })).envelope.msg).toBe(
      '游戏分类正在被使用，不能删除',
    );
  });
});

describe('numbers', () => {
  it('are added many at once, from a range or a pasted list, all or none', async () => {
    const { gameId } = await buildPlayWay();
    const add = async (numbers: string | string[]) =>
      (await admin.call(addGameNumbers, { gameId, numbers, desc: '波色' })).envelope;
    expect((await add('01-49')).data).toBe(49);
    expect((await add(['50', '51'])).data).toBe(2);
    expect((await add('A\nB\tC')).data).toBe(3);
    const wrongs = {
      '52，01、02': '号码 01、02 已存在',
      '49-01': '号码区间 49-01 无法识别',
      '52 53 52': '号码 52 出现了两次',
      ' ， ': '号码不能为空',
      '1-1000 1001': '号码不能超过 1000 个',
    };
    for (const [text, sentence] of Object.entries(wrongs))
      expect((await add(text)).data).toEqual({ errors: { numbers: sentence } });
    const list = (await admin.call(listGameNumbersByGame, { id: gameId })).envelope.data ?? [];
    expect(list.slice(5).map(({ number }) => number)).toEqual([
      ...Array.from({ length: 51 }, (_, index) => String(index + 1).padStart(2, '0')),
      ...['A', 'B', 'C'],
    ]);
  });
});

describe('odds', () => {
  it('are exact, one for each number, added all or none', async () => {
    const { id, gameId, numberId } = await buildPlayWay();
    const give = async (numbers: string[], odds: string) =>
      (await admin.call(addOdds, { playWayId: id, numberIds: numbers.map(numberId), odds })).envelope;
    expect((await give(['大', '小'], '1.985')).msg).toBe('新增成功');
    expect((await give(['1', '小'], '9.9')).data).toEqual({
      errors: { numberIds: '号码 小 已有赔率，请先删除' },
    });
    expect((await readPlayWay(gameId))?.odds.map(({ number, odds }) => [number, odds])).toEqual([
      ['大', '1.985'],
      ['小', '1.985'],
    ]);
    expect((await readPlayWay(gameId))?.margin).toBe('1.0075');
    for (const odds of ['0', '-1', '1e3', '1.23456', '９'])
      expect((await give(['1'], odds)).data).toMatchObject({ errors: { odds: expect.any(String) } });
    const [first] = (await readPlayWay(gameId))?.odds ?? [];
    await admin.call(deleteOdds, { id: given(first?.id) });
    expect(await readPlayWay(gameId)).toMatchObject({ odds: [{ number: '小' }], margin: null });
  });

  it('are tried before they are given: what they would leave the house, with those there are', async () => {
    const { id, gameId, numberId } = await buildPlayWay();
    const outlook = async (numbers: string[], odds: string) =>
      (await admin.call(previewOdds, { playWayId: id, numberIds: numbers.map(numberId), odds })).envelope;
    expect((await outlook(['大', '小'], '2.1')).data).toEqual({ margin: '0.9523', returnRate: null });
    expect((await outlook(['大', '小'], '1.985')).data).toMatchObject({ margin: '1.0075' });
    expect((await outlook(['大'], '2.1')).data).toMatchObject({ margin: null });
    await admin.call(addOdds, { playWayId: id, numberIds: [numberId('大')], odds: '2.1' });
    expect((await outlook(['小'], '2.1')).data).toMatchObject({ margin: '0.9523' });
    expect((await readPlayWay(gameId))?.odds).toHaveLength(1);
    const other = await buildPlayWay();
    const foreign = { playWayId: id, numberIds: [other.numberId('大')], odds: '2' };
    expect((await admin.call(previewOdds, foreign)).envelope.data).toEqual({
      errors: { numberIds: '号码不属于该玩法的游戏' },
    });
  });

  it('take no number of another game', async () => {
    const { id } = await buildPlayWay();
    const other = await buildPlayWay();
    const input = { playWayId: id, numberIds: [other.numberId('大')], odds: '2' };
    expect((await admin.call(addOdds, input)).envelope.data).toEqual({
      errors: { numberIds: '号码不属于该玩法的游戏' },
    });
  });

  it('are set as a table in one call, all or none, and only where they still are as they were seen', async () => {
    const { id, gameId, numberId } = await buildPlayWay();
    await admin.call(addOdds, { playWayId: id, numberIds: [numberId('大')], odds: '2.10' });
    const rows = [
      { numberId: numberId('大'), odds: '1.985', seen: '2.1' },
      { numberId: numberId('小'), odds: '1.985' },
    ];
    const table = { playWayId: id, rows };
    const preview = (await admin.call(previewOddsTable, table)).envelope.data;
    expect(preview).toMatchObject({ margin: '1.0075', rows: [{ numberId: numberId('大') }, {}] });
    const odds = async () => (await readPlayWay(gameId))?.odds.map((each) => [each.number, each.odds]);
    expect(await odds()).toEqual([['大', '2.10']]);
    const wrongs = [
      [{ numberId: numberId('大'), odds: '3', seen: '2' }, '号码 大 的赔率已被其他人修改，请核对后再提交'],
      [{ numberId: numberId('大'), odds: '3' }, '号码 大 的赔率已被其他人修改，请核对后再提交'],
      [{ numberId: numberId('1'), odds: '3', seen: '2' }, '号码 1 的赔率已被其他人修改，请核对后再提交'],
      [rows[1], '号码 小 出现了两次'],
      [{ numberId: 999_999, odds: '3' }, '号码不属于该玩法的游戏'],
    ] as const;
    for (const [wrong, sentence] of wrongs) {
      const input = { playWayId: id, rows: [...(wrong === rows[1] ? rows : rows.slice(1)), wrong ?? {}] };
      const answer = (await admin.call(setOdds, input as typeof table)).envelope;
      expect(answer.data).toEqual({ errors: { rows: sentence } });
    }
    expect(await odds()).toEqual([['大', '2.10']]);
    expect((await admin.call(setOdds, table)).envelope.data).toBe(2);
    expect(await odds()).toEqual([
      ['大', '1.985'],
      ['小', '1.985'],
    ]);
  });

  it('given to one number by many at once are given once', async () => {
    const { id, numberId, gameId } = await buildPlayWay();
    const input = { playWayId: id, numberIds: [numberId('1')], odds: '2' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => admin.call(addOdds, input)));
    expect(answers.filter(({ envelope }) => envelope.success)).toHaveLength(1);
    expect((await readPlayWay(gameId))?.odds).toHaveLength(1);
  });
});

describe('the tree of play ways', () => {
  it('shows categories with sub-categories, and play ways with where they belong', async () => {
    const { gameId, parentCategoryId, subCategoryId, id } = await buildPlayWay();
    const page = (await admin.call(categories.pagePlayWayCategories, { gameId })).envelope.data;
    expect(page).toMatchObject({
      totalCount: 1,
      data: [
        {
          id: parentCategoryId,
          countOfRows: 5,
          hideName: false,
          parentCategoryId: null,
          subCategories: [{ id: subCategoryId, name: '冠军', countOfRows: 4, subCategories: [] }],
        },
      ],
    });
    expect(await readPlayWay(gameId)).toMatchObject({
      id,
      categoryId: parentCategoryId,
      subCategoryId,
      odds: [],
    });
  });

  it('goes from its leaves only, and each level by its own call', async () => {
    const { gameId, parentCategoryId, subCategoryId, betLatitudeId, id, numberId } = await buildPlayWay();
    await admin.call(addOdds, { playWayId: id, numberIds: [numberId('1')], odds: '2' });
    const msg = async <T>(answer: Promise<{ envelope: { msg: T } }>) => (await answer).envelope.msg;
    const remove = (of: number) => msg(admin.call(categories.deletePlayWayCategory, { id: of }));
    const removeSub = (of: number) => msg(admin.call(subCategories.deletePlayWaySubCategory, { id: of }));
    expect(await remove(parentCategoryId)).toBe('玩法分类正在被使用，不能删除');
    expect(await remove(subCategoryId)).toBe('记录不存在');
    expect(await removeSub(parentCategoryId)).toBe('记录不存在');
    expect(await removeSub(subCategoryId)).toBe('玩法子分类正在被使用，不能删除');
    expect(await msg(admin.call(latitudes.deleteBetLatitude, { id: betLatitudeId }))).toBe(
      '投注维度正在被使用，不能删除',
    );
    expect(await msg(admin.call(deleteGameNumber, { id: numberId('1') }))).toBe(
      '号码 1 正在被使用，不能删除',
    );
    expect(await msg(admin.call(playWays.deletePlayWay, { id }))).toBe('删除成功');
    expect(await removeSub(subCategoryId)).toBe('删除成功');
    expect(await remove(parentCategoryId)).toBe('删除成功');
    expect(await msg(admin.call(deleteGame, { id: gameId }))).toBe('删除成功');
  });

  it('goes with its game', async () => {
    const { gameId, id, numberId } = await buildPlayWay();
    await admin.call(addOdds, { playWayId: id, numberIds: [numberId('1'), numberId('2')], odds: '2' });
    expect((await admin.call(deleteGame, { id: gameId })).envelope.msg).toBe('删除成功');
    expect((await admin.call(pageGameNumbers, { gameId })).envelope.data).toEqual({
      totalCount: 0,
      data: [],
    });
  });

  it('keeps play ways within one game, in sub-categories, each name once', async () => {
    const { fields, id, parentCategoryId } = await buildPlayWay();
    const other = await buildPlayWay();
    const errors = async (changes: object) =>
      (await admin.call(playWays.addPlayWay, { ...fields, name: '新', ...changes })).envelope.data;
    expect(await errors({ name: '大小' })).toEqual({ errors: { name: '玩法名称已存在' } });
    expect(await errors({ subCategoryId: parentCategoryId })).toEqual({
      errors: { subCategoryId: '玩法子分类不存在' },
    });
    expect(await errors({ betLatitudeId: other.betLatitudeId })).toEqual({
      errors: { betLatitudeId: '该游戏没有这个投注维度' },
    });
    const { subCategoryId: _, ...kept } = fields;
    const renamed = { ...kept, id, name: '冠军大小', showRate: '' };
    expect((await admin.call(playWays.updatePlayWay, renamed)).envelope.msg).toBe('修改成功');
  });

  it('answers 200 play ways with 4,000 odds at once', async () => {
    const { gameId, betLatitudeId, subCategoryId, numberId } = await buildPlayWay();
    for (let number = 4; number <= 20; number++)
      await admin.call(addGameNumber, { gameId, number: String(number) });
    const numbers = (await admin.call(listGameNumbersByGame, { id: gameId })).envelope.data ?? [];
    expect(numberId('大')).toBe(numbers[0]?.id);
    const rows = Array.from({ length: 200 }, (_, index) => ({
      ...{ gameId, subCategoryId, betLatitudeId, name: `玩法 ${index}`, showRate: null },
    }));
    const added = await server.db.insertInto('play_way').values(rows).returning('id').execute();
    const odds = added.flatMap(({ id }) =>
      numbers.slice(0, 20).map((number) => ({ playWayId: id, numberId: number.id, odds: '9.999' })),
    );
    await server.db.insertInto('odds').values(odds).execute();
    const { data } = (await admin.call(playWays.pagePlayWays, { gameId, pageSize: 200 })).envelope;
    expect(data?.totalCount).toBe(201);
    expect(data?.data.flatMap((playWay) => playWay.odds)).toHaveLength(4000);
  });
});

describe('bet latitudes', () => {
  it('are listed for a category or sub-category by its game', async () => {
    const { parentCategoryId, subCategoryId, betLatitudeId } = await buildPlayWay();
    for (const id of [parentCategoryId, subCategoryId]) {
      const { data } = (await admin.call(latitudes.listBetLatitudesByPlayWayCategory, { id })).envelope;
      expect(data).toEqual([
        expect.objectContaining({ id: betLatitudeId, ...latitude, handlerOptions: null }),
      ]);
    }
  });

  it('refuse what could read no result, at the field', async () => {
    const { gameId } = await buildPlayWay();
    const errors = async (changes: object) =>
      (await admin.call(latitudes.addBetLatitude, { gameId, ...latitude, name: '新', ...changes })).envelope
        .data;
    expect(await errors({ name: latitude.name })).toEqual({ errors: { name: '投注维度名称已存在' } });
    expect(await errors({ resultHandlerName: 'Nobody' })).toEqual({
      errors: { resultHandlerName: '没有名为 Nobody 的结果处理器' },
    });
    expect(await errors({ resultIndex: '0,1' })).toEqual({
      errors: { resultIndex: '大小需要 1 个结果位置' },
    });
    for (const handlerOptions of ['{', '[]', '{"from": "x"}', '{"form": 6}'])
      expect(await errors({ handlerOptions })).toEqual({ errors: { handlerOptions: expect.any(String) } });
    expect(await errors({ handlerOptions: '{"from": 6, "push": [49]}' })).toEqual(expect.any(Number));
  });

  it('preview what a handler makes of the latest results', async () => {
    const { gameId } = await buildPlayWay();
    const { data } = (await admin.call(latitudes.previewBetLatitude, { gameId, ...latitude })).envelope;
    expect(data).toEqual([]);
    const handlers = (await admin.call(latitudes.listResultHandlers, {})).envelope.data;
    expect(handlers?.map(({ name }) => name)).toContain('ZodiacHandler');
  });
});
