import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultRule } from '#contract/result-rules.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { presets } from '../presets/registry.ts';
import { collectorNamed } from '../spiders/collectors/all.ts';
import { complaintOf, keepResults } from './keep-results.ts';
import { fitsRule, isSameResult } from './same-result.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const numbersTo = (most: number) =>
  Array.from({ length: most }, (_, index) => String(index + 1).padStart(2, '0'));
const doubleColour: ResultRule = {
  parts: [
    { count: 6, of: numbersTo(33), repeat: false, ordered: false },
    { count: 1, of: numbersTo(16), repeat: false, ordered: true },
  ],
};

/** Keeps what a source says of one phase of a past day. */
async function kept(gameId: number, source: string, ...results: string[]) {
  const said = results.map((result) => ({ phase: '2026001', result, openTime: 1_767_300_000 }));
  const judged = await server.db
    .transaction()
    .execute((tx) => keepResults(tx, { gameId, source, results: said, now: new Date() }));
  return { outcomes: judged.map(({ outcome }) => outcome), complaint: complaintOf(judged) };
}

describe('results that arrive', () => {
  it('are compared part by part: the same balls in another order are the same, + and , alike', async () => {
    const gameId = await buildGame(server.db, { phase: '2026100' });
    await server.db.updateTable('game').set({ resultRule: doubleColour }).where('id', '=', gameId).execute();
    expect(await kept(gameId, '官网', '06,09,12,20,25,31+10')).toMatchObject({ outcomes: ['NEW'] });
    expect(await kept(gameId, '500', '31,25,06,09,12,20,10')).toMatchObject({ outcomes: ['SAME'] });
    expect(await kept(gameId, '别家', '31,25,06,09,12,10+20')).toMatchObject({ outcomes: ['UNFIT'] });
    expect(await kept(gameId, '别家', '31,25,06,09,12,10+16')).toMatchObject({ outcomes: ['CONFLICT'] });
  });

  it('that cannot be one of the game are not taken, and the source is told so', async () => {
    const gameId = await buildGame(server.db, { phase: '2026100' });
    await server.db.updateTable('game').set({ resultRule: doubleColour }).where('id', '=', gameId).execute();
    for (const result of [
      '06,09,12,20,25,31',
      '06,09,12,20,25,31,10,11',
      '06,06,12,20,25,31,10',
      '06,09,12,20,25,34,10',
      '06,09,12,20,25,31,17',
      '06,,12,20,25,31,10',
    ])
      expect(await kept(gameId, '官网', result), result).toEqual({
        outcomes: ['UNFIT'],
        complaint: '期号 2026001 不是该游戏的结果，不采用',
      });
    // What fits of a body that says more is taken.
    expect(await kept(gameId, '官网', '06,09', '6,9,12,20,25,31,10')).toMatchObject({
      outcomes: ['UNFIT', 'NEW'],
    });
  });
});

it('a 快乐8 game takes what a source of 北京快乐8 sends, with its 飞盘, and a source without it says the same', async () => {
  const gameId = await buildGame(server.db, { phase: '2026100' });
  const resultRule = presets.find(({ key }) => key === 'kl8')?.resultRule ?? null;
  await server.db.updateTable('game').set({ resultRule }).where('id', '=', gameId).execute();
  const body = readFileSync(new URL('../../testing/sources/pre-draw-bjkl8.json', import.meta.url), 'utf8');
  const [sent] =
    collectorNamed('PreDrawSpider')?.read(body, { options: null, timeZone: 'Asia/Shanghai' }) ?? [];
  expect(await kept(gameId, '168', sent?.result ?? '')).toEqual({ outcomes: ['NEW'], complaint: undefined });
  const { drawn = '' } = /"preDrawCode": "(?<drawn>.*),01"/.exec(body)?.groups ?? {};
  const inDrawOrder = drawn.split(',').toReversed().join();
  expect(await kept(gameId, '500', inDrawOrder)).toMatchObject({ outcomes: ['SAME'] });
  expect(await kept(gameId, '500', `${drawn},01`)).toMatchObject({ outcomes: ['UNFIT'] });
});

describe('a rule', () => {
  it('says nothing where there is none', () => {
    expect(fitsRule('anything', null)).toBe(true);
    expect(isSameResult('01+2', '1,02', null)).toBe(true);
    expect(isSameResult('1,2', '2,1', null)).toBe(false);
  });
});
