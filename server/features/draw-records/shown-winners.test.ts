import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageBetLatitudes, previewBetLatitude } from '#contract/bet-latitudes.ts';
import { pageDrawRecords } from '#contract/draw-records.ts';
import { addGamePreset } from '#contract/games.ts';
import { pagePlayWays } from '#contract/play-ways.ts';
import { factsOf } from '#server/testing/draw-facts.ts';
import { given } from '#server/testing/given.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { presets } from '../presets/registry.ts';
import { winningNumbers } from '../result-handlers/winning-numbers.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const DRAWS = 60;

/** Numbers as a machine draws them: some of them again, or each once. */
const again = (from: number, to: number, count: number) =>
  fc.array(fc.integer({ min: from, max: to }), { minLength: count, maxLength: count });
const once = (from: number, to: number, count: number) =>
  fc.shuffledSubarray(
    Array.from({ length: to - from + 1 }, (_, step) => from + step),
    { minLength: count, maxLength: count },
  );
const shapes: Readonly<Record<string, fc.Arbitrary<number[]>>> = {
  bjpk10: once(1, 10, 10),
  cqssc: fc.oneof(again(0, 9, 5), again(3, 4, 5)),
  jsk3: fc.oneof(again(1, 6, 3), again(2, 3, 3)).map((dice) => dice.toSorted()),
  gd11x5: once(1, 11, 5),
  pc28: fc.oneof(again(0, 9, 3), again(0, 1, 3), again(8, 9, 3)),
  marksix: once(1, 49, 7),
  fc3d: fc.oneof(again(0, 9, 3), again(5, 6, 3)),
  ssq: fc
    .tuple(once(1, 33, 6), once(1, 16, 1))
    .map(([reds, blue]) => [...reds.toSorted((a, b) => a - b), ...blue]),
  kl8: once(1, 80, 20),
};
const dates = ['2025-01-28', '2025-01-29', '2026-02-16', '2026-02-17', '2026-11-20'];

const plain = (number: string): string =>
  number
    .split(',')
    .map((part) => (/^\d+$/.test(part) ? String(Number(part)) : part))
    .join(',');
const sorted = (numbers: readonly string[]): string => numbers.map(plain).toSorted().join(' ');

/** A preset with draws of that shape; the seed decides them. */
async function drawnGame(key: string) {
  const { data: gameId = 0 } = (await admin.call(addGamePreset, { key, name: `看中奖 ${key}` })).envelope;
  const draws = fc
    .sample(fc.tuple(shapes[key] ?? fc.constant([]), fc.constantFrom(...dates)), {
      numRuns: DRAWS,
      seed: randomSeed,
    })
    .map(([numbers, date], place) => ({ phase: String(place + 1), numbers, date }));
  for (const { phase, numbers, date } of draws)
    await sql`insert into draw_record ("gameId", phase, result, "openTime")
      values (${gameId}, ${phase}, ${numbers.join()}, ${`${date} 21:30:00`}::timestamptz)`.execute(server.db);
  return { gameId: given(gameId), draws };
}

describe.each(presets)('what is shown to win in $name', ({ key }) => {
  it('are by each play way the numbers that win there, and no other', async () => {
    const { gameId, draws } = await drawnGame(key);
    const playWays = (await admin.call(pagePlayWays, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];
    const records = (await admin.call(pageDrawRecords, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];
    const latitudes =
      (await admin.call(pageBetLatitudes, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];
    expect(records).toHaveLength(DRAWS);
    for (const { numbers, date, phase } of draws) {
      const record = records.find((each) => each.phase === phase);
      const facts = factsOf[key]?.(numbers, date) ?? {};
      for (const { name, odds, betLatitudeId, selection } of playWays) {
        const latitude = latitudes.find(({ id }) => id === betLatitudeId);
        if (!latitude || !record) throw new Error(`no latitude of ${name}`);
        const shown = record.winners.find((each) => each.name === latitude.name);
        const { outcome } = winningNumbers(latitude, record.result, record.openTime);
        const those = (what: string) =>
          odds.map(({ number }) => number).filter((each) => outcome(each) === what);
        const what = `${name} ${record.result} seed ${randomSeed}`;
        if (selection) {
          const wins = facts[name]?.wins ?? [];
          // Of numbers in order or by size the unit itself; of others each number that came.
          const isUnit = selection.kind === 'PLACES' || /组选[三六]$/.test(name);
          const inOrder = (unit: string) =>
            selection.kind === 'PLACES' ? plain(unit) : plain(unit).split(',').toSorted().join();
          if (isUnit && facts[name]) expect(shown?.numbers.map(inOrder), what).toEqual(wins.map(inOrder));
          if (facts[name]) expect(shown?.numbers.length !== 0, what).toBe(wins.length > 0);
          else expect(shown, what).toBeDefined();
          continue;
        }
        expect(shown?.numbers.toSorted(), what).toEqual(those('WIN').toSorted());
        expect(shown?.pushes.toSorted(), what).toEqual(those('PUSH').toSorted());
        // And that is what really wins, told without any handler.
        const can = new Set(odds.map(({ number }) => plain(number)));
        const wins = (facts[name]?.wins ?? []).filter((each) => can.has(plain(each)));
        expect(sorted(shown?.numbers ?? []), what).toBe(sorted(wins));
      }
    }
  });
});

describe('组选三 of 5,3,4', () => {
  it('shows no winner, in the records and in the preview of the latitude, which says what its handler would without it', async () => {
    const { data: gameId = 0 } = (await admin.call(addGamePreset, { key: 'fc3d', name: '福彩' })).envelope;
    await sql`insert into draw_record ("gameId", phase, result, "openTime")
      values (${gameId}, '1', '5,3,4', '2026-01-01 21:15:00')`.execute(server.db);
    const game = { gameId: given(gameId) };
    const [record] = (await admin.call(pageDrawRecords, game)).envelope.data?.data ?? [];
    const shown = (name: string) => record?.winners.find((each) => each.name === name)?.numbers;
    expect([shown('组选三'), shown('组选六'), shown('直选')]).toEqual([[], ['3,4,5'], ['5,3,4']]);
    const page = (await admin.call(pageBetLatitudes, { ...game, pageSize: 9999 })).envelope.data?.data;
    const latitude = page?.find(({ name }) => name === '组选三');
    const reading = { ...game, resultIndex: '0,1,2', resultHandlerName: 'ContainsHandler' };
    const preview = async (input: object) =>
      (await admin.call(previewBetLatitude, { ...reading, ...input })).envelope.data?.map(
        ({ winners }) => winners,
      );
    expect(await preview({ id: latitude?.id })).toEqual([[]]);
    expect(await preview({})).toEqual([['5', '3', '4']]);
  });
});
