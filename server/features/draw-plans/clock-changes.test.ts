import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanDrawPlans, generateDrawPlans, pageDrawPlans, previewDrawPlans } from '#contract/draw-plans.ts';
import { addBetTimeRange, listGames, updateGamePhase } from '#contract/games.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { allowEarlyDraws } from '#server/testing/draw-permits.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { generateAhead } from './generate-ahead.ts';
import { phaseAt } from './numbering.ts';
import { findPlannedGame } from './planned-game.ts';

// New York: on 2027-11-07 the hour from 01:00 comes twice, on 2027-03-14 the one from 02:00 not at all.
let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer({ timeZone: 'America/New_York' });
  admin = await server.admin();
});
afterAll(() => server.close());

const halfHourly = (start: string, end: string) =>
  buildGame(server.db, { openRate: 1800, timeRanges: [{ start, end }] });
const generate = async (gameId: number, beginDate: string, endDate: string) =>
  (await admin.call(generateDrawPlans, { gameId, beginDate, endDate })).envelope.data;
const found = async (gameId: number, from: string, to: string): Promise<string[]> => {
  const { envelope } = await admin.call(pageDrawPlans, { gameId, startTimeRange: [from, to] });
  expect(envelope.data?.totalCount).toBe(envelope.data?.data.length);
  return (envelope.data?.data ?? []).map(({ startTime }) => startTime.slice(11, 16)).reverse();
};

describe('an hour that comes twice', () => {
  const [day, from, to] = ['2027-11-07', '2027-11-07 01:00:00', '2027-11-07 01:59:59'];

  it('is planned, found and cleared whole by the times that clocks show', async () => {
    const gameId = await halfHourly('01:00:00', '02:00:00');
    expect(await generate(gameId, from, to)).toBe(4);
    expect(await found(gameId, from, to)).toEqual(['01:00', '01:30', '01:00', '01:30']);
    expect(await found(gameId, `${day} 01:30:00`, `${day} 01:30:00`)).toEqual(['01:30', '01:00', '01:30']);
    expect(await found(gameId, `${day} 00:00:00`, `${day} 00:59:59`)).toEqual([]);
    expect(await found(gameId, `${day} 02:00:00`, `${day} 23:59:59`)).toEqual([]);
    const { envelope } = await admin.call(cleanDrawPlans, { gameId, startTimeRange: [from, to] });
    expect(envelope.data).toBe(4);
  });
});

describe('what generating would do in an hour that comes twice', () => {
  it('is told of each of two plans with the same times', async () => {
    const gameId = await halfHourly('01:00:00', '02:00:00');
    const [beginDate, endDate] = ['2027-11-07 00:00:00', '2027-11-07 23:59:59'];
    const outlook = async () =>
      (await admin.call(previewDrawPlans, { gameId, beginDate, endDate })).envelope.data?.fates.map(
        ({ what, count }) => [what, count],
      );
    expect(await outlook()).toEqual([['ADDED', 4]]);
    expect(await generate(gameId, beginDate, endDate)).toBe(4);
    expect(await outlook()).toEqual([['KEPT', 4]]);
    // All of them get other phases.
    await admin.call(updateGamePhase, { id: gameId, phase: '700000' });
    expect(await outlook()).toEqual([['REPLACED', 4]]);
    expect(await generate(gameId, beginDate, endDate)).toBe(4);
    // Two phases back: those of the first two plans come an hour later, which clocks do not show.
    await admin.call(updateGamePhase, { id: gameId, phase: '699998' });
    expect(await outlook()).toEqual([
      ['REPLACED', 2],
      ['REPLACED', 2],
      ['ADDED', 2],
    ]);
  });
});

describe('a phase that was set in an hour that comes twice', () => {
  it('is counted from its own moment, in lists as in plans, and whatever is changed afterwards', async () => {
    // 01:30 for the second time.
    const phaseTime = new Date('2025-11-02T06:30:00Z');
    const timeRanges = [{ start: '01:00:00', end: '02:00:00' }];
    const gameId = await buildGame(server.db, { openRate: 1800, timeRanges, phase: '1000', phaseTime });
    const shown = async () =>
      (await admin.call(listGames, {})).envelope.data?.find(({ id }) => id === gameId)?.phase;
    const planned = given(await findPlannedGame(server.db, gameId));
    const now = () => phaseAt(planned, Math.floor(Date.now() / 1_000));
    expect(await shown()).toBe(now());
    const range = { gameId, start: '04:00:00', end: '04:30:00', openRate: 1800 };
    expect((await admin.call(addBetTimeRange, range)).envelope.success).toBe(true);
    expect(await shown()).toBe(now());
  });
});

describe('an hour that does not come', () => {
  it('begins and ends, for plans and filters alike, when the clocks are put on', async () => {
    const day = '2027-03-14';
    const gameId = await halfHourly('01:00:00', '04:00:00');
    expect(await generate(gameId, `${day} 00:00:00`, `${day} 23:59:59`)).toBe(4);
    expect(await found(gameId, `${day} 00:00:00`, `${day} 23:59:59`)).toEqual([
      '01:00',
      '01:30',
      '03:00',
      '03:30',
    ]);
    expect(await found(gameId, `${day} 02:15:00`, `${day} 23:59:59`)).toEqual(['03:00', '03:30']);
    expect(await found(gameId, `${day} 00:00:00`, `${day} 02:45:00`)).toEqual(['01:00', '01:30']);
    expect(await found(gameId, `${day} 02:10:00`, `${day} 02:50:00`)).toEqual([]);
  });
});

describe('a window of plans', () => {
  const envelopeOf = async (gameId: number, beginDate: string, endDate: string) =>
    (await admin.call(generateDrawPlans, { gameId, beginDate, endDate })).envelope;

  it.each([
    ['2027-10-15', '2027-11-14', '2027-11-15'],
    ['2027-03-01', '2027-03-31', '2027-04-01'],
  ])('has 31 days of the calendar, however many hours they come to: from %s', async (first, last, beyond) => {
    const gameId = await halfHourly('01:00:00', '02:00:00');
    expect((await envelopeOf(gameId, `${first} 00:00:00`, `${last} 23:59:59`)).success).toBe(true);
    expect((await envelopeOf(gameId, `${first} 00:00:00`, `${beyond} 00:00:00`)).msg).toBe(
      '时间范围不能超过 31 天',
    );
  });

  it('inside an hour that does not come holds nothing, and is not the wrong way round', async () => {
    const gameId = await halfHourly('01:00:00', '04:00:00');
    const [from, to] = ['2027-03-14 02:00:00', '2027-03-14 02:59:59'] as const;
    expect((await envelopeOf(gameId, from, to)).msg).toBe('已生成 0 期');
    expect((await admin.call(cleanDrawPlans, { gameId, startTimeRange: [from, to] })).envelope.msg).toBe(
      '已清除 0 期',
    );
    expect((await envelopeOf(gameId, to, from)).msg).toBe('结束时间不能早于开始时间');
  });
});

describe('the evening', () => {
  beforeAll(() => allowEarlyDraws(server.db));

  it.each([
    { hours: 24, eight: '2027-11-07T00:00:00Z', plans: 4 },
    { hours: 25, eight: '2027-11-08T01:00:00Z', plans: 2 },
    { hours: 23, eight: '2027-03-15T00:00:00Z', plans: 2 },
  ])('of a day of $hours hours comes when clocks show eight', async ({ eight, plans }) => {
    const gameId = await halfHourly('01:00:00', '02:00:00');
    const madeAt = async (seconds: number) => {
      const now = new Date(Date.parse(eight) + seconds * 1_000);
      const all = await generateAhead(server.db, now, 'America/New_York');
      return all.filter((each) => each.gameId === gameId).map(({ made }) => made);
    };
    expect(await madeAt(-1)).toEqual([]);
    expect(await madeAt(0)).toEqual([plans]);
  });
});

it('the ends of time are days like others', async () => {
  const gameId = await halfHourly('01:00:00', '02:00:00');
  expect(await found(gameId, '1900-01-01 00:00:00', '9999-12-31 23:59:59')).toEqual([]);
});
