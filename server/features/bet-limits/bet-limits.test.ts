import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addBetLimit, deleteBetLimit, pageBetLimits, updateBetLimit } from '#contract/bet-limits.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import { placeBet } from '#contract/platform-bets.ts';
import { listCataloguePlayWays } from '#contract/platform-catalogue.ts';
import { cancelSlip } from '#contract/slips.ts';
import { markTestAccount } from '#contract/users.ts';
import { buildBetting, slipOn, type WantedBet } from '#server/testing/build-betting.ts';
import { buildDice, everyDice, faces, someOf } from '#server/testing/build-dice.ts';
import { buildBettors } from '#server/testing/build-slips.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { judgeOfDraw } from '../bets/judge-lines.ts';
import { readLineRules } from '../bets/line-rules.ts';

let server: TestServer;
let site: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
  admin = await server.admin();
});
afterEach(() => sql`delete from bet_limit`.execute(server.db));
afterAll(() => server.close());

/** Places a slip, once nobody else is in its way. */
async function place(wanted: WantedBet): Promise<{ slipId: number; msg: string | null; field: string }> {
  for (;;) {
    const { envelope } = await site.call(placeBet, wanted);
    const { data, msg, code } = envelope;
    if (code === 503) continue;
    const errors = data && 'errors' in data ? Object.keys(data.errors ?? {}) : [];
    return { slipId: data && 'slipId' in data ? data.slipId : 0, msg: msg ?? null, field: errors.join() };
  }
}
const limit = async (input: Parameters<typeof addBetLimit.input.parse>[0] & object) => {
  const { data, msg } = (await admin.call(addBetLimit, input)).envelope;
  if (typeof data !== 'number') throw new Error(String(msg));
  return data;
};

interface Counter {
  readonly kind: string;
  readonly taken: string;
}
const counters = async (gameId: number): Promise<Counter[]> => {
  const { rows } = await sql<Counter>`
    select kind, scope, owner, number, trim_scale(taken)::text as taken, trim_scale(worst)::text as worst, trim_scale(bound)::text as bound
    from limit_counter where "gameId" = ${gameId} and (taken <> 0 or kind <> 'CELL' and bound <> 0) order by 1, 2, 3, 4`.execute(
    server.db,
  );
  return rows;
};
/** What counters would be if the phase were counted anew. */
const recounted = async (gameId: number, phase: string): Promise<Counter[]> => {
  await sql`select recount_limits(${gameId}, ${phase})`.execute(server.db);
  return counters(gameId);
};
const takenOf = (all: readonly Counter[], kind: string) =>
  all.filter((each) => each.kind === kind).map(({ taken }) => Number(taken));

describe('limits', () => {
  it('are added, changed, listed and deleted, each for one game or play way once', async () => {
    const { gameId, bigSmall } = await buildBetting(server.db);
    const other = await buildBetting(server.db);
    const id = await limit({ gameId, minStake: '2', payoutCapUnit: '500', reason: '新游戏试运行' });
    const ofWay = await limit({ playWayId: bigSmall, minStake: '50', maxStake: '50' });
    const page = (await admin.call(pageBetLimits, { gameId })).envelope.data;
    expect(page).toMatchObject({
      totalCount: 2,
      data: [
        { id, gameId, playWayId: null, minStake: '2', maxStake: null, payoutCapUnit: '500' },
        { id: ofWay, gameId, playWayId: bigSmall, minStake: '50', maxStake: '50' },
      ],
    });
    const refused = async (input: Parameters<typeof limit>[0]) =>
      (await admin.call(addBetLimit, input)).envelope.data;
    expect(await refused({ gameId, minStake: '3' })).toEqual({ errors: { gameId: '该范围的限额已存在' } });
    expect(await refused({ gameId: other.gameId, playWayId: bigSmall })).toEqual({
      errors: { playWayId: '玩法不属于该游戏' },
    });
    expect(await refused({ playWayId: 999_999 })).toEqual({ errors: { playWayId: '玩法不存在' } });
    expect(await refused({ gameId: other.gameId, minStake: '3', maxStake: '2' })).toEqual({
      errors: { maxStake: '最高单注不能低于最低单注' },
    });
    expect(await refused({ gameId: other.gameId, minStake: '3', maxLineStake: '2.99' })).toEqual({
      errors: { maxLineStake: '最高注项金额不能低于最低单注' },
    });
    const changed = await admin.call(updateBetLimit, { id, version: 1, maxLoss: '1000', reason: '收紧限额' });
    expect(changed.envelope.data).toBe(id);
    expect((await admin.call(pageBetLimits, { gameId })).envelope.data?.data[0]).toMatchObject({
      ...{ gameId, minStake: null, payoutCapUnit: null, maxLoss: '1000', version: 2 },
    });
    const stale = await admin.call(updateBetLimit, { id, version: 1, maxLoss: '9' });
    expect(stale.envelope.msg).toBe('该记录已被其他人修改，请核对后再提交');
    const records = (await admin.call(pageChangeRecords, { summary: '编辑限额' })).envelope.data?.data;
    expect(JSON.stringify(records)).toContain('收紧限额');
    expect((await admin.call(deleteBetLimit, { id })).envelope.data).toBe(true);
    // What belongs to a play way goes with it.
    await sql`delete from play_way where id = ${bigSmall}`.execute(server.db);
    expect((await admin.call(pageBetLimits, { gameId })).envelope.data?.totalCount).toBe(0);
  });

  it('of several rows never shut a play way between them, and what is shut already can be mended step by step', async () => {
    const { gameId, bigSmall } = await buildBetting(server.db);
    const { name } = (
      await sql<{ name: string }>`select name from game where id = ${gameId}`.execute(server.db)
    ).rows[0] ?? { name: '' };
    const shut = (what: string) =>
      `与其他范围的限额合在一起，${name}的玩法“${what}”最低单注将高于最高单注、最高注项金额或单期用户投注限额，无法投注`;
    const add = async (input: Parameters<typeof limit>[0]) =>
      (await admin.call(addBetLimit, input)).envelope.msg;
    const own = await limit({ playWayId: bigSmall, minStake: '5', maxStake: '9' });
    expect(await add({ gameId, maxUserStake: '4.99' })).toBe(shut('总和大小'));
    expect(await add({ gameId, maxStake: '2', maxUserStake: '5' })).toBe('新增成功');
    // Its own greatest stake is all that keeps it open.
    const bare = { id: own, minStake: '5' };
    expect((await admin.call(updateBetLimit, bare)).envelope.msg).toBe(shut('总和大小'));
    expect(await add({ minStake: '3' })).toMatch(/玩法“.+”最低单注将高于/);
    const all = (await admin.call(pageBetLimits, {})).envelope.data?.data ?? [];
    expect(all.map(({ playWayId }) => playWayId)).toEqual([null, bigSmall]);
    // What a version before let be shut hinders nothing else.
    await sql`update bet_limit set "maxLineStake" = 1 where id = ${own}`.execute(server.db);
    expect(await add({ payoutCapUnit: '100' })).toBe('新增成功');
    expect((await admin.call(deleteBetLimit, { id: own })).envelope.msg).toBe('删除成功');
  });

  it('of a line refuse it by the most specific value of each kind, and test accounts stand in none', async () => {
    const betting = await buildBetting(server.db);
    const { gameId, bigSmall, threeStars, userId } = betting;
    const all = await limit({ minStake: '1', maxStake: '40', maxUserStake: '500' });
    await limit({ gameId, minStake: '2', maxLineStake: '60', payoutCapUnit: '700' });
    await limit({ playWayId: bigSmall, minStake: '5', maxStake: '100' });
    const offered = (await site.call(listCataloguePlayWays, { id: gameId })).envelope.data;
    expect(offered?.map(({ limits }) => limits)).toEqual([
      { minStake: '5', maxStake: '100', maxLineStake: '60', payoutCap: '700' },
      { minStake: '2', maxStake: '40', maxLineStake: '60', payoutCap: '700' },
    ]);
    const told = async (playWayId: number, selection: string, unitStake: string) => {
      const { msg, field } = await place(slipOn(betting, { lines: [{ playWayId, selection, unitStake }] }));
      return `${field} ${msg}`;
    };
    expect(await told(bigSmall, '大', '4.99')).toBe(
      'lines 第 1 个注项的单注金额低于玩法“总和大小”的最低单注 5.00',
    );
    expect(await told(bigSmall, '大', '100.01')).toBe(
      'lines 第 1 个注项的单注金额超过玩法“总和大小”的最高单注 100.00',
    );
    expect(await told(bigSmall, '大,小', '30.01')).toBe(
      'lines 第 1 个注项的金额超过玩法“总和大小”的最高注项金额 60.00',
    );
    expect(await told(threeStars, '1|2|3', '1.99')).toMatch(/低于玩法“前三直选”的最低单注 2\.00$/);
    expect(await told(threeStars, '1|2|3', '40.01')).toMatch(/最高单注 40\.00$/);
    expect(await told(bigSmall, '大,小', '30')).toBe(' 操作成功');
    await admin.call(markTestAccount, { userId, testAccount: true });
    for (const stake of ['1', '99']) expect(await told(bigSmall, '大,小', stake)).toBe(' 操作成功');
    expect(await told(threeStars, '1|2|3', '300')).toBe(' 操作成功');
    expect(takenOf(await counters(gameId), 'USER')).toEqual([60]);
    await admin.call(deleteBetLimit, { id: all });
    expect(await counters(gameId)).toEqual([]);
  });

  it.each([
    ['maxUserStake', 'USER', '200', 20, '超过单期用户投注限额 200.00，该用户本期还可投注 0.00'],
    [
      'maxNumberPayout',
      'NUMBER',
      '200',
      10,
      '玩法“总和大小”号码 大 超过单期号码派彩限额 200.00，派彩还可增加 2.00',
    ],
    ['maxLoss', 'LOSS', '100', 10, '超过单期亏损限额 100.00，本期最大亏损还可增加 2.00'],
    [
      ...(['maxNumberPayout', 'NUMBER', '9000', 10] as const),
      ...(['玩法“前三直选”超过单期号码派彩限额 9,000.00，派彩还可增加 0.00', 'threeStars'] as const),
    ],
  ] as const)(
    '%s lets exactly as many of 64 slips at once pass as it has room for',
    { retry: 0, timeout: 60_000 },
    async (kind, counter, most, passing, msg, way: 'threeStars' | undefined = undefined) => {
      const betting = await buildBetting(server.db);
      const { gameId, phase } = betting;
      const slipOf = (userId: number) =>
        slipOn(
          { ...betting, userId },
          way && { lines: [{ playWayId: betting[way], selection: '1|2|3', unitStake: '1' }] },
        );
      await limit({ gameId, [kind]: most });
      const users = await buildBettors(server.db, 64, '1000');
      const userOf = (index: number) => (kind === 'maxUserStake' ? users[0] : users[index]) ?? 0;
      const answers = await Promise.all(users.map((_, index) => place(slipOf(userOf(index)))));
      const placed = answers.filter(({ slipId }) => slipId > 0);
      expect(placed).toHaveLength(passing);
      expect(new Set(answers.filter(({ slipId }) => slipId === 0).map((each) => each.msg))).toEqual(
        new Set([msg]),
      );
      const full = await counters(gameId);
      expect(await recounted(gameId, phase)).toEqual(full);
      // What is taken back is free again, for as many.
      await Promise.all(
        placed
          .slice(0, 3)
          .map(({ slipId }) => admin.call(cancelSlip, { id: slipId, reason: '用户要求撤单' })),
      );
      const again = await Promise.all(users.slice(0, 8).map((_, index) => place(slipOf(userOf(index + 40)))));
      expect(again.filter(({ slipId }) => slipId > 0)).toHaveLength(3);
      expect(await counters(gameId)).toEqual(full);
      expect(takenOf(full, counter)).toHaveLength(1);
    },
  );

  it('counts lines of many units by the most they can pay, slips from before the limit too, and sums of one row together', async () => {
    const betting = await buildBetting(server.db);
    const { gameId, threeStars, bigSmall } = betting;
    const star = (unitStake: string) =>
      slipOn(betting, { lines: [{ playWayId: threeStars, selection: '1,2|3|4,5', unitStake }] });
    expect((await place(star('1'))).msg).toBe('操作成功');
    expect(await counters(gameId)).toEqual([]);
    const id = await limit({ playWayId: threeStars, maxNumberPayout: '1800', maxUserStake: '7' });
    await limit({ gameId, maxUserStake: '20' });
    expect(takenOf(await counters(gameId), 'NUMBER')).toEqual([900]);
    expect((await place(star('1.0001'))).msg).toBe('超过单期用户投注限额 7.00，该用户本期还可投注 3.00');
    await admin.call(updateBetLimit, { id, maxNumberPayout: '1800' });
    expect((await place(star('1.0001'))).msg).toBe(
      '玩法“前三直选”超过单期号码派彩限额 1,800.00，派彩还可增加 900.00',
    );
    expect((await place(star('1'))).msg).toBe('操作成功');
    // Now both play ways go by the game's row: 8 of 20 are taken.
    expect(
      (
        await place(
          slipOn(betting, { lines: [{ playWayId: bigSmall, selection: '大', unitStake: '12.01' }] }),
        )
      ).msg,
    ).toBe('超过单期用户投注限额 20.00，该用户本期还可投注 12.00');
    expect(
      (await place(slipOn(betting, { lines: [{ playWayId: bigSmall, selection: '大', unitStake: '12' }] })))
        .msg,
    ).toBe('操作成功');
  });

  it('touches no counter where none is set', async () => {
    const betting = await buildBetting(server.db);
    await limit({ gameId: betting.gameId, maxStake: '1000', payoutCapSlip: '5000' });
    const { slipId } = await place(slipOn(betting));
    expect(slipId).toBeGreaterThan(0);
    expect(await counters(betting.gameId)).toEqual([]);
  });
});

it('bounds what the house can lose, never by too little, whatever is bet, cancelled and placed again', {
  retry: 0,
  timeout: 60_000,
}, async () => {
  const dice = await buildDice(server.db);
  const { gameId, phase, playWays } = dice;
  await limit({ gameId, maxLoss: '10000000', maxNumberPayout: '10000000', maxUserStake: '10000000' });
  const [user = 0, second = 0] = await buildBettors(server.db, 2, '1000000');
  const line = fc
    .oneof(
      fc.tuple(fc.constant(playWays.size), someOf(['大', '小'])),
      fc.tuple(fc.constant(playWays.sum), someOf(['7', '8', '10', '11', '18'])),
      fc.tuple(fc.constant(playWays.dragon), someOf(['龙', '虎', '和'])),
      fc.tuple(fc.constant(playWays.face), someOf(faces)),
      fc.tuple(fc.constant(playWays.pair), someOf(faces, 2)),
      fc.tuple(
        fc.constant(playWays.straight),
        fc.tuple(someOf(faces), someOf(faces), someOf(faces)).map((all) => all.join('|')),
      ),
    )
    .chain(([playWayId, selection]) =>
      fc
        .integer({ min: 10_000, max: 999_999 })
        .map((stake) => ({ playWayId, selection, unitStake: String(stake / 10_000) })),
    );
  const slips = fc.sample(fc.array(line, { minLength: 1, maxLength: 4 }), {
    seed: randomSeed,
    numRuns: 24,
  });
  for (const [index, lines] of slips.entries()) {
    const wanted = { userId: index % 2 ? user : second, gameId, phase, bizNo: randomUUID(), lines };
    const { slipId, msg } = await place(wanted);
    expect(msg, JSON.stringify(lines)).toBe('操作成功');
    if (index % 5 === 4) await admin.call(cancelSlip, { id: slipId, reason: '用户要求撤单' });
  }
  const { rows } = await sql<{ rules: unknown; selection: string; unitStake: string; stake: string }>`
    select r.rules, l.selection, l."unitStake", l.stake from slip s join slip_line l on l."slipId" = s.id
      join slip_rules r on r.id = l."rulesId" where s."gameId" = ${gameId} and l.status = 'PENDING'`.execute(
    server.db,
  );
  const lossBy = (result: string) => {
    const judge = judgeOfDraw({ result, drawTime: '2026-01-01 12:00:00' });
    return rows.reduce((sum, each) => {
      const { payout, refund } = judge({ ...each, rules: readLineRules(each.rules) });
      return sum + Number(payout) + Number(refund) - Number(each.stake);
    }, 0);
  };
  const worst = Math.max(...everyDice.map(lossBy));
  const counted = await counters(gameId);
  const [bound = 0] = takenOf(counted, 'LOSS');
  expect(bound, `seed ${randomSeed}`).toBeGreaterThanOrEqual(worst - 0.001);
  expect(await recounted(gameId, phase)).toEqual(counted);
});
