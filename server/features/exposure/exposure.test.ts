import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBetLimit, updateBetLimit } from '#contract/bet-limits.ts';
import { getExposureOutlook, listExposure } from '#contract/exposure.ts';
import { placeBet } from '#contract/platform-bets.ts';
import { cancelSlip } from '#contract/slips.ts';
import { markTestAccount } from '#contract/users.ts';
import { setParam } from '#server/testing/approving.ts';
import { addPhase, buildBetting, closeBefore, slipOn } from '#server/testing/build-betting.ts';
import { buildDice, endPhase, everyDice, faces, someOf } from '#server/testing/build-dice.ts';
import { buildBettors } from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import { copySlip } from '#server/testing/many-slips.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { judgeOfDraw } from '../bets/judge-lines.ts';
import { readLineRules } from '../bets/line-rules.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';
import { presets } from '../presets/registry.ts';
import { settleDue } from '../settlements/settle.ts';
import { beginUnvoid, beginVoid } from '../settlements/voids.ts';
import { foldExposure } from './exposure-store.ts';
import { drawsOf } from './outlook.ts';

let server: TestServer;
let site: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
  admin = await server.admin();
});
afterAll(() => server.close());

const place = async (wanted: Parameters<typeof placeBet.input.parse>[0] & object): Promise<number> => {
  const { data, msg } = (await site.call(placeBet, { ...wanted, bizNo: randomUUID() } as never)).envelope;
  if (!data) throw new Error(String(msg));
  return data.slipId;
};
const exposure = async (asked: { gameId: number; phase?: string }) =>
  (await admin.call(listExposure, asked)).envelope.data ?? [];
const outlook = async (asked: { gameId: number; phase?: string }) =>
  (await admin.call(getExposureOutlook, asked)).envelope.data;

it('tells of each number what is staked, what it pays, and what is left of its play way', async () => {
  const betting = await buildBetting(server.db);
  const { gameId, phase, bigSmall, threeStars, userId } = betting;
  const slip = slipOn(betting);
  await place({
    ...slip,
    lines: [
      { playWayId: bigSmall, selection: '大,小', unitStake: '10' },
      { playWayId: bigSmall, selection: '大', unitStake: '5.5' },
      { playWayId: threeStars, selection: '1,2|3|4,5', unitStake: '2.5' },
    ],
  });
  const wanted = [
    { number: '大', stake: '15.50', units: 2, payout: '30.69', result: '-5.19' },
    { number: '小', stake: '10.00', units: 1, payout: '19.80', result: '5.70' },
    { number: '前三直选', stake: '10.00', units: 4, payout: '2250.00', result: '-2240.00' },
  ].map((row, place) => ({
    ...{ playWayId: place < 2 ? bigSmall : threeStars, playWayName: place < 2 ? '总和大小' : '前三直选' },
    ...row,
  }));
  expect(await exposure({ gameId, phase })).toEqual(wanted);
  expect(await foldExposure(server.db)).toBeGreaterThan(0);
  // Without a phase it is the one that is open.
  expect(await exposure({ gameId })).toEqual(wanted);
  const slipId = await place(slip);
  expect((await exposure({ gameId, phase }))[0]).toMatchObject({ stake: '25.50', units: 3 });
  await admin.call(cancelSlip, { id: slipId, reason: '用户要求撤单' });
  expect(await exposure({ gameId, phase })).toEqual(wanted);
  await admin.call(markTestAccount, { userId, testAccount: true });
  const tried = await place(slip);
  expect(await exposure({ gameId, phase })).toEqual(wanted);
  await admin.call(cancelSlip, { id: tried, reason: '用户要求撤单' });
  expect(await exposure({ gameId, phase })).toEqual(wanted);
  expect(await outlook({ gameId })).toMatchObject({
    ...{ phase, stake: '35.50', worst: null, draws: [], warnAbove: null },
    problem: '该游戏的开奖结果超过 1,000 种，不逐一列出',
  });
  await sql`update game set "resultRule" = null where id = ${gameId}`.execute(server.db);
  expect((await outlook({ gameId }))?.problem).toBe(
    '游戏没有填写“开奖结果”由哪些号码组成，不知道可能开出什么',
  );
  expect((await admin.call(listExposure, {})).envelope.data).toEqual([]);
});

it('is of the phase that is closed and waits for its draw, else of the one that takes bets, where none is said', async () => {
  const { db } = server;
  const betting = await buildBetting(db, { from: -300, to: 200 });
  const { gameId, phase } = betting;
  const shown = async () => (await outlook({ gameId }))?.phase;
  await place(slipOn(betting));
  expect(await shown()).toBe(phase);
  await closeBefore(db, gameId, 250);
  expect(await shown()).toBe(phase);
  expect(await exposure({ gameId })).toHaveLength(1);
  await endPhase(db, betting);
  expect(await shown()).toBe(phase);
  // The next takes bets while the result is awaited.
  const next = `${phase}N`;
  await addPhase(db, gameId, next, -30, 900);
  expect(await shown()).toBe(phase);
  const drawn = (of: string) =>
    sql`update draw_plan set status = 'OPENED' where "gameId" = ${gameId} and phase = ${of}`.execute(db);
  await drawn(phase);
  expect(await shown()).toBe(next);
  // Betting that is off for a while makes it no other.
  await sql`update game set "betStatus" = false where id = ${gameId}`.execute(db);
  expect(await shown()).toBe(next);
  await endPhase(db, { gameId, phase: next });
  expect(await shown()).toBe(next);
  await drawn(next);
  expect(await shown()).toBeNull();
});

it('takes off what a number gives back on others, by the rules of those who bet on them', async () => {
  const { gameId, phase, playWays } = await buildDice(server.db);
  const [userId = 0] = await buildBettors(server.db, 1);
  const { dragon } = playWays;
  const bet = (...lines: [string, string][]) =>
    place({
      ...{ gameId, phase, userId },
      lines: lines.map(([selection, unitStake]) => ({ playWayId: dragon, selection, unitStake })),
    } as never);
  const shown = async () =>
    (await exposure({ gameId, phase })).map(({ number, payout, result }) => [number, payout, result]);
  await bet(['龙', '121'], ['虎', '50'], ['和', '11']);
  // A tie pays 60.50 and gives 171 back: of 182 the house is 49.50 short.
  const wanted = [
    ['龙', '239.58', '-57.58'],
    ['和', '60.50', '-49.50'],
    ['虎', '99.00', '83.00'],
  ];
  expect(await shown()).toEqual(wanted);
  await foldExposure(server.db);
  expect(await shown()).toEqual(wanted);
  const tie = (await outlook({ gameId, phase }))?.draws.find(({ draw }) => draw === '1,1,1');
  expect(tie?.result).toBe('-49.50');
  // Whoever bets after ties lose gets nothing back, whoever bet before does.
  await sql`
    update bet_latitude set "handlerOptions" = '{"tie": "LOSE"}' where id = (select "betLatitudeId" from play_way where id = ${dragon})`.execute(
    server.db,
  );
  await bet(['龙', '100']);
  expect(await shown()).toEqual([
    ['龙', '437.58', '-155.58'],
    ['和', '60.50', '50.50'],
    ['虎', '99.00', '183.00'],
  ]);
});

it('tells the result of every draw as judging every line does, through voids and back', async () => {
  const dice = await buildDice(server.db);
  const { gameId, phase, playWays } = dice;
  const users = await buildBettors(server.db, 2);
  const line = fc
    .oneof(
      fc.tuple(fc.constant(playWays.size), someOf(['大', '小'])),
      fc.tuple(fc.constant(playWays.dragon), someOf(['龙', '虎', '和'])),
      fc.tuple(fc.constant(playWays.face), someOf(faces)),
      fc.tuple(fc.constant(playWays.pair), someOf(faces, 2)),
      fc.tuple(fc.constant(playWays.straight), fc.constantFrom('1|2|3', '1,2|2,3|3', '6|6|6')),
    )
    .chain(([playWayId, selection]) =>
      fc.integer({ min: 1, max: 900 }).map((stake) => ({ playWayId, selection, unitStake: String(stake) })),
    );
  const wanted = fc.sample(fc.array(line, { minLength: 1, maxLength: 4 }), { seed: randomSeed, numRuns: 16 });
  for (const [index, lines] of wanted.entries()) {
    await place({ gameId, phase, userId: users[index % 2] ?? 0, lines });
    if (index === 8) await foldExposure(server.db);
  }
  const recomputed = async () => {
    const { rows } = await sql<{ rules: unknown; selection: string; unitStake: string; stake: string }>`
      select r.rules, l.selection, l."unitStake", l.stake from slip s join slip_line l on l."slipId" = s.id
        join slip_rules r on r.id = l."rulesId"
      where s."gameId" = ${gameId} and l.status not in ('CANCELLED', 'VOID')`.execute(server.db);
    const results = everyDice.map((result) => {
      const judge = judgeOfDraw({ result, drawTime: '2026-01-01 12:00:00' });
      return rows.reduce((sum, each) => {
        const { payout, refund } = judge({ ...each, rules: readLineRules(each.rules) });
        return sum + Number(each.stake) - Number(payout) - Number(refund);
      }, 0);
    });
    return new Map(everyDice.map((draw, place) => [draw, results[place] ?? 0]));
  };
  const compare = async () => {
    const [told, known] = [await outlook({ gameId, phase }), await recomputed()];
    expect(told?.draws).toHaveLength(216);
    for (const { draw, result } of told?.draws ?? [])
      expect(Number(result), `${draw}, seed ${randomSeed}`).toBeCloseTo(known.get(draw) ?? Number.NaN, 3);
    expect(Number(told?.worst)).toBeCloseTo(Math.min(...known.values()), 3);
    expect(Number(told?.best)).toBeCloseTo(Math.max(...known.values()), 3);
    const average = [...known.values()].reduce((sum, each) => sum + each, 0) / 216;
    expect(Number(told?.expected)).toBeCloseTo(average, 3);
    return exposure({ gameId, phase });
  };
  await setParam(server.db, 'bet.exposureWarnAbove', '100');
  const first = await compare();
  expect((await outlook({ gameId }))?.warnAbove).toBe('100');
  expect(await proveBets(server.db)).toMatchObject({ broken: 0, breaks: [] });
  await endPhase(server.db, dice);
  const act = { operatorId: 1, userName: 'admin', reason: '赔率录错' };
  const { id } = await server.db
    .transaction()
    .execute((tx) => beginVoid(tx, { gameId, phase, playWayId: playWays.face }, act));
  await settleDue(server.db);
  const less = await compare();
  expect(less.filter(({ playWayId }) => playWayId === playWays.face)).toEqual([]);
  await server.db.transaction().execute((tx) => beginUnvoid(tx, id, act));
  await settleDue(server.db);
  expect(await compare()).toEqual(first);
  await foldExposure(server.db);
  expect(await compare()).toEqual(first);
  // What was not kept as slips say is found.
  await sql`update exposure set payout = payout + 1 where "gameId" = ${gameId} and "playWayId" = ${playWays.pair}`.execute(
    server.db,
  );
  const { breaks } = await proveBets(server.db);
  if (first.some(({ playWayId }) => playWayId === playWays.pair))
    expect(breaks.map(({ problem }) => problem)).toEqual([
      `游戏 ${gameId} 期号 ${phase} 号码“”的单期风险与注单不符`,
    ]);
}, 60_000);

it('every draw is looked at one by one in games of at most a thousand', () => {
  const few = presets.flatMap(({ key, resultRule }) => {
    const draws = drawsOf(resultRule);
    return draws ? [`${key} ${new Set(draws).size}`] : [];
  });
  expect(few).toEqual(['jsk3 216', 'pc28 1000', 'fc3d 1000']);
});

it('takes off what caps of units, lines, slips and players will cut', async () => {
  const { gameId, phase, playWays } = await buildDice(server.db);
  const [user = 0, other = 0, tester = 0] = await buildBettors(server.db, 3);
  await sql`update player set "testAccount" = true where id = ${tester}`.execute(server.db);
  const caps = { payoutCapUnit: '700', payoutCapLine: '650', payoutCapSlip: '1000', payoutCapUser: '1200' };
  await admin.call(addBetLimit, { gameId, ...caps });
  const slip = (userId: number, ...lines: [number, string, string][]) =>
    place({
      ...{ gameId, phase, userId },
      lines: lines.map(([playWayId, selection, unitStake]) => ({ playWayId, selection, unitStake })),
    } as never);
  const { size, face, pair, straight } = playWays;
  await slip(user, [size, '大', '400'], [size, '大', '250'], [face, '1,2,6', '200']);
  await slip(user, [size, '大', '200'], [straight, '6|6|5,6', '5'], [pair, '1,2,6', '100']);
  await slip(other, [size, '大', '30'], [face, '3', '20'], [pair, '1,6', '110']);
  // What is bet for tests is cut as well, and nothing of it is exposed.
  await slip(tester, [size, '大', '700'], [pair, '1,2,6', '100']);
  // 780 to 650 by the line, that and 487.50 to 1,000 by the slip, then 390 more to 1,200 by the player; the other gets all of their 58.50.
  expect((await exposure({ gameId, phase })).find(({ playWayId }) => playWayId === size)).toMatchObject({
    ...{ number: '大', stake: '880.00', payout: '1258.50', result: '-378.50' },
  });
  const { rows } = await sql<{
    rules: unknown;
    selection: string;
    unitStake: string;
    stake: string;
    slip: number;
    user: number;
  }>`
    select r.rules, l.selection, l."unitStake", l.stake, s.id as slip, s."userId" as user from slip s join slip_line l on l."slipId" = s.id
      join slip_rules r on r.id = l."rulesId" where s."gameId" = ${gameId} and not s."testAccount" order by l.id`.execute(
    server.db,
  );
  const resultBy = (draw: string) => {
    const judge = judgeOfDraw({ result: draw, drawTime: '2026-01-01 12:00:00' });
    const room = new Map<string, number>();
    const take = (key: string, most: number, wanted: number) => {
      const taken = Math.min(wanted, room.get(key) ?? most);
      room.set(key, (room.get(key) ?? most) - taken);
      return taken;
    };
    return rows.reduce((sum, each) => {
      const { payout, refund } = judge({ ...each, rules: readLineRules(each.rules) });
      const ofSlip = take(`slip ${each.slip}`, 1_000, Number(payout));
      return sum + Number(each.stake) - take(`user ${each.user}`, 1_200, ofSlip) - Number(refund);
    }, 0);
  };
  const told = await outlook({ gameId, phase });
  expect(told?.problem).toBeNull();
  expect(told?.draws).toHaveLength(216);
  for (const { draw, result } of told?.draws ?? [])
    expect(Number(result), draw).toBeCloseTo(resultBy(draw), 3);
});

it('cuts the slips of a player in the order in which settling does, whichever wrote its lines first', async () => {
  const { gameId, phase, playWays } = await buildDice(server.db);
  const [userId = 0] = await buildBettors(server.db, 1);
  const line = { playWayId: playWays.size, selection: '大', unitStake: '400' };
  const { data: id } = (await admin.call(addBetLimit, { gameId, payoutCapUser: '1200' })).envelope;
  // A slip has its number before it waits for its player's account, and its lines have theirs afterwards.
  const linesFrom = (n: number) =>
    sql`select setval(pg_get_serial_sequence('slip_line', 'id'), ${n}::bigint)`.execute(
      server.database.owner,
    );
  await linesFrom(2_000_000);
  const first = await place({ gameId, phase, userId, lines: [line] });
  await admin.call(updateBetLimit, { id: given(id), payoutCapUser: '500' });
  await linesFrom(1_000_000);
  const second = await place({ gameId, phase, userId, lines: [line] });
  await linesFrom(3_000_000);
  // The first has its 780, which is more than the second's cap leaves to anybody.
  expect(first).toBeLessThan(second);
  expect(await exposure({ gameId, phase })).toMatchObject([
    { number: '大', stake: '800.00', payout: '780.00' },
  ]);
});

it('says so where there are too many lines to take off what caps cut, also in games whose draws are not listed', async () => {
  const { gameId, phase, bigSmall, userId } = await buildBetting(server.db);
  await admin.call(addBetLimit, { gameId, payoutCapUser: '50' });
  const lines = [{ playWayId: bigSmall, selection: '大', unitStake: '10' }];
  const slip = await place({ gameId, phase, userId, lines });
  const listed = async () => (await exposure({ gameId, phase })).map(({ payout }) => payout);
  const many = '该游戏的开奖结果超过 1,000 种，不逐一列出';
  await copySlip(server.database.owner, slip, [userId], 4_999);
  expect([await listed(), (await outlook({ gameId, phase }))?.problem]).toEqual([['50.00'], many]);
  await copySlip(server.database.owner, slip, [userId], 1);
  expect([await listed(), (await outlook({ gameId, phase }))?.problem]).toEqual([
    ['99019.80'],
    `${many}；注单过多，未扣除注单与用户的派彩上限，实际亏损不会更大`,
  ]);
});

it('is kept for a month after the draw, and says so afterwards', async () => {
  const { gameId, phase, bigSmall, userId } = await buildBetting(server.db);
  await place({
    gameId,
    phase,
    userId,
    lines: [{ playWayId: bigSmall, selection: '大', unitStake: '1' }],
  } as never);
  expect(await exposure({ gameId, phase })).toHaveLength(1);
  const age = (days: number) =>
    server.database.owner.transaction().execute(async (tx) => {
      await sql`alter table draw_plan disable trigger user`.execute(tx);
      await sql`
        update draw_plan set "startTime" = now() - ${days + 1} * interval '1 day', "endTime" = now() - ${days} * interval '1 day'
        where "gameId" = ${gameId}`.execute(tx);
      await sql`alter table draw_plan enable trigger user`.execute(tx);
    });
  await age(29);
  expect(await exposure({ gameId, phase })).toHaveLength(1);
  await age(31);
  expect(await exposure({ gameId, phase })).toEqual([]);
  expect(await outlook({ gameId, phase })).toMatchObject({
    ...{ phase, stake: '0.00', draws: [] },
    problem: '开奖已超过 30 天，单期风险不再保留，结果见盈亏报表',
  });
});
