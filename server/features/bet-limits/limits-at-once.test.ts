import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBetLimit } from '#contract/bet-limits.ts';
import { placeBet } from '#contract/platform-bets.ts';
import type { WantedBet } from '#server/testing/build-betting.ts';
import { buildDice, type DiceWay } from '#server/testing/build-dice.ts';
import { buildBettors } from '#server/testing/build-slips.ts';
import { randomFrom } from '#server/testing/chosen-selections.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { problemsOfLimits } from '../bets-proof/limit-proof.ts';

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({}, server.database);
});
afterAll(async () => {
  await other.close();
  await server.close();
});

/** Places a slip on one of the servers, once nobody else is in its way; tells why not, if so. */
async function place(wanted: WantedBet, at: TestServer): Promise<string | null> {
  for (;;) {
    const { envelope } = await at.site().call(placeBet, { ...wanted, bizNo: randomUUID() });
    if (envelope.code !== 503) return envelope.success ? null : envelope.msg;
  }
}

it('of 64 slips at once pass exactly as many as limits of every kind together have room for, on two servers', {
  retry: 0,
  timeout: 60_000,
}, async () => {
  const { db } = server;
  const { gameId, phase, playWays } = await buildDice(db);
  const admin = await server.admin();
  const limits = [
    { gameId, maxUserStake: '60' },
    {
      playWayId: playWays.face,
      minStake: '2',
      maxStake: '60',
      maxLineStake: '100',
      maxNumberPayout: '100',
    },
    { playWayId: playWays.pair, maxNumberPayout: '200' },
    { playWayId: playWays.straight, maxLoss: '900' },
  ];
  // Another server knows them with its next slip.
  for (const each of limits) expect((await admin.call(addBetLimit, each)).envelope.success).toBe(true);
  const users = await buildBettors(db, 64, '1000');
  const [richest = 0] = users;
  const slip = (way: DiceWay, selection: string, unitStake: string, userId?: number) => ({
    way,
    wanted: {
      gameId,
      phase,
      userId,
      bizNo: '',
      lines: [{ playWayId: playWays[way], selection, unitStake }],
    },
  });
  const times = <T>(count: number, of: (place: number) => T) =>
    Array.from({ length: count }, (_, place) => of(place));
  const slips = [
    // Stakes of one player, whatever they are on.
    ...times(6, () => slip('size', '大', '10', richest)),
    ...times(6, () => slip('sum', '9', '10', richest)),
    // 1 at 1.90: five of 10 pay 95. What a limit of lines refuses takes no room.
    ...times(13, () => slip('face', '1', '10')),
    ...times(5, () => slip('face', '1', '1.9999')),
    ...times(5, () => slip('face', '1', '60.0001')),
    ...times(5, () => slip('face', '1,2', '50.0001')),
    // A unit of two numbers at 6.5: three of 10 pay 195.
    ...times(12, (n) => slip('pair', n % 2 ? '1,2' : '5,6', '10')),
    // 180 less the stake: five of 1 lose 895.
    ...times(12, (n) => slip('straight', n % 2 ? '1|2|3' : '4|5|6', '1')),
  ].map(({ way, wanted }, n) => ({ way, wanted: { ...wanted, userId: wanted.userId ?? users[n] ?? 0 } }));
  expect(slips).toHaveLength(64);
  const random = randomFrom(randomSeed);
  const mixed = slips
    .map((each) => ({ ...each, turn: random(1_000_000) }))
    .toSorted((one, next) => one.turn - next.turn);
  const told = await Promise.all(
    mixed.map(async ({ way, wanted }, n) => `${way} ${await place(wanted, n % 2 ? server : other)}`),
  );
  const counted = Object.fromEntries(
    [...Map.groupBy(told, (each) => each)].map(([what, all]) => [what, all.length]),
  );
  const ofUser = '超过单期用户投注限额 60.00，该用户本期还可投注 0.00';
  const isOfUser = (what: string) => /^(size|sum) /.test(what);
  expect(counted, `seed ${randomSeed}`).toMatchObject({
    ...{ 'face null': 5, 'pair null': 3, 'straight null': 5 },
    'face 玩法“face”号码 1 超过单期号码派彩限额 100.00，派彩还可增加 5.00': 8,
    'face 第 1 个注项的单注金额低于玩法“face”的最低单注 2.00': 5,
    'face 第 1 个注项的单注金额超过玩法“face”的最高单注 60.00': 5,
    'face 第 1 个注项的金额超过玩法“face”的最高注项金额 100.00': 5,
    'pair 玩法“pair”超过单期号码派彩限额 200.00，派彩还可增加 5.00': 9,
    'straight 超过单期亏损限额 900.00，本期最大亏损还可增加 5.00': 7,
  });
  expect(
    told
      .filter(isOfUser)
      .map((what) => what.split(' ').slice(1).join(' '))
      .toSorted(),
  ).toEqual([...times(6, () => 'null'), ...times(6, () => ofUser)].toSorted());
  expect(await problemsOfLimits(db)).toEqual([]);
});
