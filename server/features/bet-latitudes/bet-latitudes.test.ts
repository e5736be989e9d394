import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addBetLatitude,
  deleteBetLatitude,
  pageBetLatitudes,
  previewBetLatitude,
  updateBetLatitude,
} from '#contract/bet-latitudes.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { given } from '#server/testing/given.ts';
import { realDraws } from '#server/testing/real-draws.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const champion = { name: '冠军大小', resultIndex: '0', resultHandlerName: 'BigSmallHandler' };

/** A game with the draws that took place in the game of a preset, the last of them first in a preview. */
async function buildDrawnGame(key: string): Promise<number> {
  const gameId = await buildGame(server.db);
  for (const { phase, result, date } of realDraws.filter(({ game }) => game === key))
    await sql`
      insert into draw_record ("gameId", phase, result, "openTime")
      values (${gameId}, ${phase}, ${result}, ${`${date} 21:30:00`}::timestamptz)`.execute(server.db);
  return gameId;
}

async function preview(gameId: number, resultIndex: string, resultHandlerName: string, options?: object) {
  const handlerOptions = options && JSON.stringify(options);
  const input = { gameId, resultIndex, resultHandlerName, handlerOptions };
  return (await admin.call(previewBetLatitude, input)).envelope;
}

describe('bet latitudes', () => {
  it('are listed by game, the newest first, and changed', async () => {
    const gameId = await buildGame(server.db);
    await admin.call(addBetLatitude, { gameId: await buildGame(server.db), ...champion });
    const { data: first } = (await admin.call(addBetLatitude, { gameId, ...champion })).envelope;
    await admin.call(addBetLatitude, { gameId, ...champion, name: '亚军大小', resultIndex: '1' });
    const list = async () => (await admin.call(pageBetLatitudes, { gameId })).envelope.data;
    expect(await list()).toMatchObject({
      totalCount: 2,
      data: [
        { gameId, name: '亚军大小', resultIndex: '1', resultHandlerName: 'BigSmallHandler' },
        { gameId, ...champion, handlerOptions: null },
      ],
    });
    const changed = { resultIndex: '0,1', resultHandlerName: 'SumBigSmallHandler' };
    const id = given(first);
    const update = async (fields: object) =>
      (await admin.call(updateBetLatitude, { id, name: '冠亚大小', ...changed, ...fields })).envelope;
    expect((await update({ handlerOptions: '{"from": 12}' })).msg).toBe('修改成功');
    expect((await list())?.data[1]).toEqual({
      ...{ id, version: 2, gameId, name: '冠亚大小', ...changed },
      handlerOptions: '{"from": 12}',
    });
    expect((await update({ handlerOptions: null })).success).toBe(true);
    expect((await list())?.data[1]?.handlerOptions).toBeNull();
  });

  it('refuse a change to what could not read results or to a name that is taken, and stay', async () => {
    const gameId = await buildGame(server.db);
    await admin.call(addBetLatitude, { gameId, ...champion });
    const { data } = (await admin.call(addBetLatitude, { gameId, ...champion, name: '亚军大小' })).envelope;
    const errors = async (changes: object) =>
      (await admin.call(updateBetLatitude, { id: given(data), ...champion, name: '亚军大小', ...changes }))
        .envelope.data;
    expect(await errors({ name: champion.name })).toEqual({ errors: { name: '投注维度名称已存在' } });
    expect(await errors({ resultIndex: '0,1' })).toEqual({
      errors: { resultIndex: '大小需要 1 个结果位置' },
    });
    expect(await errors({ resultIndex: '0,' })).toMatchObject({
      errors: { resultIndex: expect.any(String) },
    });
    expect(await errors({ handlerOptions: '{"form": 6}' })).toEqual({
      errors: { handlerOptions: '处理器参数中没有 form 这一项' },
    });
    expect(await errors({ handlerOptions: '{"from": 1.5}' })).toEqual({
      errors: { handlerOptions: '处理器参数 from（“大”的起点）须为整数' },
    });
    expect(await errors({ handlerOptions: '[]' })).toEqual({
      errors: { handlerOptions: '处理器参数须为 JSON 对象' },
    });
    const page = (await admin.call(pageBetLatitudes, { gameId })).envelope.data;
    expect(page?.data[0]).toMatchObject({ name: '亚军大小', resultIndex: '0', handlerOptions: null });
    const missing = { ...champion, id: 999_999 };
    expect((await admin.call(updateBetLatitude, missing)).envelope.msg).toBe('记录不存在');
    expect((await admin.call(deleteBetLatitude, { id: given(data) })).envelope.msg).toBe('删除成功');
    expect((await admin.call(pageBetLatitudes, { gameId })).envelope.data?.totalCount).toBe(1);
  });
});

describe('the preview', () => {
  it('reads the latest results by what was typed, and follows its parameters', async () => {
    const gameId = await buildDrawnGame('bjpk10');
    const winners = async (options: object) =>
      Object.fromEntries(
        ((await preview(gameId, '0,1', 'SumBigSmallHandler', options)).data ?? []).map(
          ({ phase, winners }) => [phase, winners.join()],
        ),
      );
    // 冠亚和: 9 + 2, 8 + 4, 1 + 6, 2 + 5.
    expect(await winners({ from: 12 })).toEqual({ 704002: '小', 703988: '大', 664880: '小', 664876: '小' });
    expect(await winners({ from: 11 })).toMatchObject({ 704002: '大', 703988: '大', 664880: '小' });
    expect(await winners({ from: 7 })).toMatchObject({ 664880: '大', 664876: '大' });
    expect((await admin.call(pageBetLatitudes, { gameId })).envelope.data?.totalCount).toBe(0);
  });

  it('tells pushes, animals by the day of the draw, and what cannot be read', async () => {
    const gameId = await buildDrawnGame('marksix');
    const byPhase = async (...reading: [index: string, name: string, options?: object]) =>
      Map.groupBy((await preview(gameId, ...reading)).data ?? [], ({ phase }) => phase);
    const sides = await byPhase('6', 'OddEvenHandler', { push: [49] });
    expect(sides.get('25/119')).toMatchObject([{ winners: [], pushes: ['单', '双'], problem: null }]);
    expect(sides.get('25/134')).toMatchObject([
      { winners: ['单'], pushes: [], openTime: '2025-12-28 21:30:00' },
    ]);
    const animals = await byPhase('6', 'ZodiacHandler');
    expect(animals.get('25/119')).toMatchObject([{ winners: ['蛇'] }]);
    const beyond = await byPhase('7', 'ValueHandler');
    expect(beyond.get('25/134')).toMatchObject([
      { winners: [], problem: '结果“7,10,11,19,25,30,45”没有位置 7' },
    ]);
  });

  it('look at each position once, and at none that a result of the game does not have', async () => {
    const gameId = await buildGame(server.db);
    const add = async (resultIndex: string, resultHandlerName: string) =>
      (await admin.call(addBetLatitude, { gameId, name: resultIndex, resultIndex, resultHandlerName }))
        .envelope;
    const twice = { success: false, data: { errors: { resultIndex: '结果位置 0 出现了两次' } } };
    expect(await add('0,0', 'DragonTigerHandler')).toMatchObject(twice);
    expect(await add('0,1,00', 'SumHandler')).toMatchObject(twice);
    // Where nothing says what a result is, any position may be one.
    expect(await add('9', 'ValueHandler')).toMatchObject({ success: true });
    const resultRule = { parts: [{ count: 5, of: ['1', '2'], repeat: true, ordered: true }] };
    await server.db.updateTable('game').set({ resultRule }).where('id', '=', gameId).execute();
    const beyond = { success: false, data: { errors: { resultIndex: '开奖结果只有 5 个号码，没有位置 5' } } };
    expect(await add('5', 'ValueHandler')).toMatchObject(beyond);
    expect(await preview(gameId, '0,5', 'SumHandler')).toMatchObject(beyond);
    const { data: id } = await add('4', 'ValueHandler');
    const wanted = { id: given(id), name: '末位', resultIndex: '0,5', resultHandlerName: 'SumHandler' };
    expect((await admin.call(updateBetLatitude, wanted)).envelope).toMatchObject(beyond);
  });

  it('tries one result that is typed, if it has as many numbers as one of the game', async () => {
    const gameId = await buildGame(server.db);
    const of = ['1', '2', '3', '4', '5', '6'];
    const resultRule = { parts: [{ count: 3, of, repeat: true, ordered: false }] };
    await server.db.updateTable('game').set({ resultRule }).where('id', '=', gameId).execute();
    const reading = { gameId, resultIndex: '*', resultHandlerName: 'SumHandler' };
    const tried = async (result: string) =>
      (await admin.call(previewBetLatitude, { ...reading, result })).envelope.data;
    expect(await tried('6+6,5')).toMatchObject([{ phase: '试算', result: '6+6,5', winners: ['17'] }]);
    for (const wrong of ['6,6', '1,1,1,1', ','])
      expect(await tried(wrong)).toEqual({ errors: { result: '开奖结果须有 3 个号码' } });
    expect(await tried('6,x,1')).toMatchObject([{ winners: [], problem: '结果“x”不是数字' }]);
    const { data } = (await admin.call(previewBetLatitude, { ...reading, last: 101 })).envelope;
    expect(data).toMatchObject({ errors: { last: expect.any(String) } });
  });

  it('runs on the latest results of that game, ten or as many as are asked for', async () => {
    const gameId = await buildGame(server.db);
    for (let draw = 1; draw <= 12; draw++)
      await sql`
        insert into draw_record ("gameId", phase, result, "openTime")
        values (${gameId}, ${String(draw)}, '1', ${`2026-01-${String(draw).padStart(2, '0')} 12:00:00`}::timestamptz)`.execute(
        server.db,
      );
    const { data } = await preview(gameId, '0', 'ValueHandler');
    expect(data?.map(({ phase }) => Number(phase))).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    const reading = { gameId, resultIndex: '0', resultHandlerName: 'ValueHandler', last: 100 };
    expect((await admin.call(previewBetLatitude, reading)).envelope.data).toHaveLength(12);
  });

  it('refuses what could not be saved, at its field', async () => {
    const gameId = await buildDrawnGame('bjpk10');
    const errors = async (...reading: [index: string, name: string, options?: object]) =>
      (await preview(gameId, ...reading)).data;
    expect(await errors('0', 'Nobody')).toEqual({
      errors: { resultHandlerName: '没有名为 Nobody 的结果处理器' },
    });
    expect(await errors('0', 'DragonTigerHandler')).toEqual({
      errors: { resultIndex: '龙虎需要 2 个结果位置' },
    });
    expect(await errors('0', 'BigSmallHandler', { from: -1 })).toMatchObject({
      errors: { handlerOptions: expect.stringContaining('from') },
    });
  });
});
