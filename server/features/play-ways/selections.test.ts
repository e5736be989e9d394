import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageBetLatitudes, updateBetLatitude } from '#contract/bet-latitudes.ts';
import { addBetLimit, deleteBetLimit } from '#contract/bet-limits.ts';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import {
  addGameNumber,
  deleteGameNumber,
  pageGameNumbers,
  updateGameNumber,
} from '#contract/game-numbers.ts';
import { addGamePreset, listGames, updateGame } from '#contract/games.ts';
import { addOdds } from '#contract/odds.ts';
import {
  addPlayWay,
  deletePlayWay,
  type PlayWay,
  pagePlayWays,
  previewPlayWay,
  updatePlayWay,
} from '#contract/play-ways.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
let gameId: number;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  gameId = given((await admin.call(addGamePreset, { key: 'gd11x5' })).envelope.data);
});
afterAll(() => server.close());

const playWays = async () =>
  (await admin.call(pagePlayWays, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];
async function named(name: string): Promise<PlayWay> {
  const found = (await playWays()).find((each) => each.name === name);
  if (!found) throw new Error(name);
  return found;
}
async function told<E extends AnyEndpoint>(endpoint: E, input: WireInput<E>) {
  const { msg, data } = (await admin.call(endpoint, input)).envelope;
  return typeof data === 'object' && data !== null && 'errors' in data ? data.errors : msg;
}
const balls = Array.from({ length: 11 }, (_, index) => String(index + 1).padStart(2, '0'));
const anyTwo = { kind: 'COMBINATION', choose: 2, of: balls } as const;

describe('play ways of several numbers', () => {
  it('are told with their selection, outcomes and returns', async () => {
    expect(await named('任选二')).toMatchObject({
      selection: anyTwo,
      ...{ oddsFrom: 'OUTCOME', odds: [], margin: null },
      // 10 of 55 pairs are drawn.
      outcomes: [{ name: '任选二', odds: '3', returnRate: '0.5455' }],
      returnRate: '0.5455',
    });
    expect(await named('第一球号码')).toMatchObject({ selection: null, oddsFrom: 'NUMBER', outcomes: [] });
  });

  it('are added and changed; what is not said stays, a new name is that of the only outcome, null makes single numbers', async () => {
    const { subCategoryId, betLatitudeId } = await named('任选二');
    const fields = { subCategoryId, betLatitudeId, selection: anyTwo };
    const outcomes = [{ name: '二连', odds: '4.5' }];
    expect(await told(addPlayWay, { ...fields, name: '二连', outcomes })).toBe('新增成功');
    const { id } = await named('二连');
    expect(await told(updatePlayWay, { id, name: '两连', betLatitudeId })).toBe('修改成功');
    expect(await named('两连')).toMatchObject({
      ...{ id, selection: anyTwo, oddsFrom: 'OUTCOME' },
      outcomes: [{ name: '两连', odds: '4.5', returnRate: '0.8182' }],
    });
    expect(
      await told(updatePlayWay, { id, name: '两连', betLatitudeId, outcomes: [{ name: '两连', odds: '6' }] }),
    ).toBe('修改成功');
    expect((await named('两连')).returnRate).toBe('1.091');
    expect(await told(updatePlayWay, { id, name: '两连', betLatitudeId, selection: null })).toBe('修改成功');
    expect(await named('两连')).toMatchObject({ selection: null, oddsFrom: 'NUMBER', outcomes: [] });
  });

  it('count an edit of their odds alone, which is recorded, and refuse one made from what was before it', async () => {
    const { subCategoryId, betLatitudeId } = await named('任选二');
    const made = { name: '三连', subCategoryId, betLatitudeId, selection: anyTwo };
    const at = (odds: string) => [{ name: '三连', odds }];
    expect(await told(addPlayWay, { ...made, outcomes: at('4.5') })).toBe('新增成功');
    const { id } = await named('三连');
    const edit = { id, name: '三连', betLatitudeId };
    expect(await told(updatePlayWay, { ...edit, version: 1, outcomes: at('6') })).toBe('修改成功');
    const { rows } = await sql`
      select before, after from change_record where call = 'updatePlayWay' and "targetId" = ${String(id)}`.execute(
      server.db,
    );
    expect(rows).toMatchObject([
      { before: { version: 1, outcomes: at('4.5') }, after: { version: 2, outcomes: at('6') } },
    ]);
    const late = await admin.call(updatePlayWay, { ...edit, version: 1, outcomes: at('7') });
    expect(late.envelope).toMatchObject({
      ...{ success: false, data: { current: { id, version: 2, selection: anyTwo, outcomes: at('6') } } },
    });
    expect(await named('三连')).toMatchObject({ outcomes: at('6') });
  });

  it('are refused at the field that does not fit', async () => {
    const { subCategoryId, betLatitudeId } = await named('任选二');
    const straight = (await named('前三直选')).betLatitudeId;
    const add = (input: object) =>
      told(addPlayWay, { subCategoryId, betLatitudeId, name: '不合', selection: anyTwo, ...input });
    expect(await add({ selection: { ...anyTwo, of: ['01', '12'] } })).toEqual({
      selection: '选号方式的号码 12 不是该游戏的号码',
    });
    expect(await add({ selection: { ...anyTwo, choose: 12 } })).toEqual({
      selection: '选号方式的选择个数不能多于可选号码',
    });
    expect(await add({ selection: { kind: 'ANY' } })).toEqual({
      selection: '选号方式不是可选的方式',
    });
    expect(await add({ betLatitudeId: straight })).toEqual({
      selection: '号码只能用于单个号码、按位选号，不能用于组合',
    });
    expect(
      await add({ betLatitudeId: straight, selection: { kind: 'PLACES', places: 2, of: balls } }),
    ).toEqual({ selection: '选号方式的位数须与投注维度的 3 个位置一样多' });
    expect(await add({ oddsFrom: 'NUMBER' })).toEqual({
      oddsFrom: '多个号码的选号方式，赔率来源须为中奖结果或最低赔率',
    });
    expect(await add({ outcomes: [{ name: '一等奖', odds: '2' }] })).toEqual({
      outcomes: '没有中奖结果“一等奖”，须为 不合',
    });
    expect(await add({ outcomes: [{ name: '不合', odds: '0' }] })).toMatchObject({
      outcomes: expect.any(String),
    });
    expect((await playWays()).some(({ name }) => name === '不合')).toBe(false);
  });

  it('take no odds by number, and hold the numbers they are chosen from', async () => {
    const numbers = (await admin.call(pageGameNumbers, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];
    const id = given(numbers.find(({ number }) => number === '01')?.id);
    const playWayId = (await named('任选二')).id;
    expect(await told(addOdds, { playWayId, numberIds: [id], odds: '2' })).toEqual({
      numberIds: '该玩法的赔率按中奖结果设置，请编辑玩法',
    });
    const [other] = await sql<{ id: number }>`
      insert into game_number ("gameId", number) values (${gameId}, '99') returning id`
      .execute(server.db)
      .then(({ rows }) => rows);
    const { subCategoryId, betLatitudeId } = await named('任选二');
    const selection = { ...anyTwo, of: ['01', '99'] };
    expect(await told(addPlayWay, { subCategoryId, betLatitudeId, name: '含 99', selection })).toBe(
      '新增成功',
    );
    expect(await told(deleteGameNumber, { id: given(other?.id) })).toContain('正在被使用');
  });
});

describe('a bet that is tried', () => {
  it('says how many units it is, how many won in the latest draws, and what is paid', async () => {
    const { id, name, betLatitudeId } = await named('任选二');
    for (const [phase, result] of [
      ['1', '01,02,03,04,05'],
      ['2', '07,08,09,10,11'],
      ['3', '1,2'],
    ])
      await sql`insert into draw_record ("gameId", phase, result, "openTime")
        values (${gameId}, ${phase ?? ''}, ${result ?? ''}, now() - interval '1 hour' + ${phase ?? ''}::int * interval '1 minute')`.execute(
        server.db,
      );
    const asked = { id, name, betLatitudeId, bet: '(01)02,03,09', unitStake: '2.5' };
    const { data } = (await admin.call(previewPlayWay, asked)).envelope;
    expect(data).toMatchObject({ units: 3, maxPayout: '22.5', capped: false, returnRate: '0.5455' });
    expect(data?.draws.map(({ phase, won, payout }) => [phase, won, payout])).toEqual([
      ['3', 1, '7.5'],
      ['2', 0, '0'],
      ['1', 2, '15'],
    ]);
    expect(await told(previewPlayWay, { ...asked, bet: '01,12' })).toEqual({ bet: '不能选号码 12' });
    // Its payouts are cut as those of a player who bets on nothing else.
    const paid = async (limits: object) => {
      const limit = given((await admin.call(addBetLimit, { gameId, ...limits })).envelope.data);
      const { envelope } = await admin.call(previewPlayWay, asked);
      await admin.call(deleteBetLimit, { id: limit });
      expect(envelope.data?.capped).toBe(true);
      return [envelope.data?.maxPayout, ...(envelope.data?.draws.map(({ payout }) => payout) ?? [])];
    };
    expect(await paid({ payoutCapUnit: '7' })).toEqual(['21', '7', '0', '14']);
    expect(await paid({ payoutCapLine: '10' })).toEqual(['10', '7.5', '0', '10']);
    expect(await paid({ payoutCapSlip: '9', payoutCapUser: '12' })).toEqual(['9', '7.5', '0', '9']);
    // Typed odds are told at once.
    const dear = await admin.call(previewPlayWay, {
      id,
      name,
      betLatitudeId,
      outcomes: [{ name, odds: '5.6' }],
    });
    expect(dear.envelope.data).toMatchObject({ units: null, returnRate: '1.0182', draws: [] });
  });
});

describe('what a result of a game is', () => {
  it('is set, kept when nothing is said of it, and taken away by a rule without parts', async () => {
    const read = async () => (await admin.call(listGames, {})).envelope.data?.find(({ id }) => id === gameId);
    const { name = '', categoryId = 0, openRate = 0, stopBetSecond = 0 } = (await read()) ?? {};
    const fields = { id: gameId, name, categoryId, openRate, stopBetSecond };
    const part = { count: 5, of: balls, repeat: false, ordered: true };
    expect((await read())?.resultRule).toEqual({ parts: [part] });
    expect(await told(updateGame, fields)).toBe('修改成功');
    expect((await read())?.resultRule).toEqual({ parts: [part] });
    const wrong = { parts: [{ ...part, count: 12 }] };
    expect(await told(updateGame, { ...fields, resultRule: wrong })).toEqual({
      resultRule: '开奖结果的结果组成第 1 项的个数不能多于号码范围内的号码',
    });
    expect(await told(updateGame, { ...fields, resultRule: { parts: [] } })).toBe('修改成功');
    expect((await read())?.resultRule).toBeNull();
    expect((await named('任选二')).returnRate).toBeNull();
    // What no draw can bring is named: 99 came into a selection, and was never among the balls.
    expect(await told(updateGame, { ...fields, resultRule: { parts: [part] } })).toEqual({
      resultRule: '改后玩法“含 99”不能再判定：99 再也不会中奖',
    });
    expect((await read())?.resultRule).toBeNull();
    await admin.call(deletePlayWay, { id: (await named('含 99')).id });
    expect(await told(updateGame, { ...fields, resultRule: { parts: [part] } })).toBe('修改成功');
  });
});

describe('what play ways stand on', () => {
  const numberNamed = async (wanted: string) => {
    const list = (await admin.call(pageGameNumbers, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];
    const found = list.find(({ number }) => number === wanted);
    if (!found) throw new Error(wanted);
    return found;
  };

  it('keeps its name while a selection names it, wherever the pool stands, and odds follow a new one', async () => {
    const { subCategoryId, betLatitudeId } = await named('前三直选');
    const add = (number: string) => admin.call(addGameNumber, { gameId, number });
    for (const number of ['71', '72', '73']) await add(number);
    const own = [['71'], balls, balls];
    const places = { kind: 'PLACES', places: 3, of: own } as const;
    expect(
      await told(addPlayWay, { subCategoryId, betLatitudeId, name: '各位不同', selection: places }),
    ).toBe('新增成功');
    const held = { number: '号码 71 是玩法“各位不同”的可选号码，不能改名' };
    const { id, version } = await numberNamed('71');
    expect(await told(updateGameNumber, { id, version, number: '74' })).toEqual(held);
    expect(await told(updateGameNumber, { id, number: '71', desc: '只改描述' })).toBe('修改成功');
    expect(await told(deleteGameNumber, { id })).toBe('玩法“各位不同”的可选号码 71 正在被使用，不能删除');
    const single = await named('第一球号码');
    const free = await numberNamed('72');
    await admin.call(addOdds, { playWayId: single.id, numberIds: [free.id], odds: '9' });
    expect(await told(updateGameNumber, { id: free.id, number: '75' })).toBe('修改成功');
    expect((await named('第一球号码')).odds.map(({ number }) => number)).toContain('75');
    expect(await told(deleteGameNumber, { id: free.id })).toBe('号码 75 正在被使用，不能删除');
    expect(await told(updateGameNumber, { id: (await numberNamed('73')).id, number: '76' })).toBe('修改成功');
  });

  it('is neither renamed nor changed while a play way that needs it is being added', async () => {
    const { subCategoryId, betLatitudeId } = await named('任选二');
    for (const [place, number] of ['81', '82', '83', '84'].entries()) {
      const id = (await admin.call(addGameNumber, { gameId, number })).envelope.data ?? 0;
      const selection = { ...anyTwo, of: ['01', number] };
      const name = `竞争 ${place}`;
      const [made, renamed] = await Promise.all([
        told(addPlayWay, { subCategoryId, betLatitudeId, name, selection }),
        told(updateGameNumber, { id, number: `9${place}` }),
      ]);
      const isRenamed = renamed === '修改成功';
      expect(made === '新增成功').toBe(!isRenamed);
    }
  });

  it('is a latitude that goes on judging: a change by which it no longer would is refused at its field', async () => {
    const latitudes =
      (await admin.call(pageBetLatitudes, { gameId, pageSize: 999 })).envelope.data?.data ?? [];
    const latitudeOf = async (playWay: string) => {
      const { betLatitudeId } = await named(playWay);
      const found = latitudes.find(({ id }) => id === betLatitudeId);
      if (!found) throw new Error(playWay);
      const { id, name, resultIndex, resultHandlerName, handlerOptions } = found;
      return { id, name, resultIndex, resultHandlerName, handlerOptions: handlerOptions ?? undefined };
    };
    const change = async (playWay: string, changes: object) =>
      told(updateBetLatitude, { ...(await latitudeOf(playWay)), ...changes });
    expect(await change('任选二', { resultHandlerName: 'ValueHandler', resultIndex: '0' })).toEqual({
      resultHandlerName: expect.stringMatching(
        /^改后玩法“.+”不能再判定：号码只能用于单个号码、按位选号，不能用于组合$/,
      ),
    });
    expect(await change('任选二', { resultHandlerName: 'PrizesHandler' })).toEqual({
      resultHandlerName: expect.stringContaining('没有中奖结果'),
    });
    expect(await change('前三直选', { resultIndex: '0,1' })).toEqual({
      resultIndex: '改后玩法“前三直选”不能再判定：选号方式的位数须与投注维度的 2 个位置一样多',
    });
    expect(await change('第一球大小', { resultHandlerName: 'OddEvenHandler', handlerOptions: '{}' })).toEqual(
      {
        resultHandlerName: expect.stringMatching(/^改后玩法“第一球大小”不能再判定：(大|小) 再也不会中奖$/),
      },
    );
    expect(await change('第一球大小', { handlerOptions: '{"from": 12}' })).toEqual({
      handlerOptions: '改后玩法“第一球大小”不能再判定：大 再也不会中奖',
    });
    // What judges as well as before is taken, and so is a new name of one that nothing is to be said against.
    expect(await change('第一球大小', { handlerOptions: '{"from": 5}' })).toBe('修改成功');
    expect(await change('任选二', { name: '任选维度' })).toBe('修改成功');
  });
});
