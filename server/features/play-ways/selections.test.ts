import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { deleteGameNumber, pageGameNumbers } from '#contract/game-numbers.ts';
import { addGamePreset, listGames, updateGame } from '#contract/games.ts';
import { addOdds } from '#contract/odds.ts';
import {
  addPlayWay,
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
      selection: '选号方式不能多于可选号码',
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
    expect(data).toMatchObject({ units: 3, maxPayout: '22.5', returnRate: '0.5455' });
    expect(data?.draws.map(({ phase, won, payout }) => [phase, won, payout])).toEqual([
      ['3', 1, '7.5'],
      ['2', 0, '0'],
      ['1', 2, '15'],
    ]);
    expect(await told(previewPlayWay, { ...asked, bet: '01,12' })).toEqual({ bet: '不能选号码 12' });
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
      resultRule: '开奖结果不能多于号码范围内的号码',
    });
    expect(await told(updateGame, { ...fields, resultRule: { parts: [] } })).toBe('修改成功');
    expect((await read())?.resultRule).toBeNull();
    expect((await named('任选二')).returnRate).toBeNull();
    expect(await told(updateGame, { ...fields, resultRule: { parts: [part] } })).toBe('修改成功');
  });
});
