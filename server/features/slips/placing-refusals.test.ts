import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stopOdds } from '#contract/odds.ts';
import { createUser } from '#contract/platform.ts';
import { placeBet } from '#contract/platform-bets.ts';
import { stopPlayWay } from '#contract/play-ways.ts';
import { excludeUser, freezeUser, markTestAccount, pageUsers, unfreezeUser } from '#contract/users.ts';
import {
  addPhase,
  type Betting,
  buildBetting,
  slipOn,
  slipsOf,
  type WantedBet,
} from '#server/testing/build-betting.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { documented } from '#server/testing/documented.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let site: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
  admin = await server.admin();
});
afterAll(() => server.close());

const place = async (wanted: WantedBet) => (await site.call(placeBet, wanted)).envelope;

describe('a slip is refused, and nothing of it stays,', () => {
  it.each<[string, (betting: Betting) => Partial<WantedBet> | Promise<Partial<WantedBet>>, string]>([
    ['of an unknown game', () => ({ gameId: 999_999_999 }), '记录不存在'],
    ['of an unknown player', () => ({ userId: 999_999_999 }), '记录不存在'],
    ['of an unknown phase', () => ({ phase: '77' }), '期号 77 不存在'],
    [
      'of a phase to come',
      async ({ gameId }) => ({
        phase: (await addPhase(server.db, gameId, '2000', 3_600, 7_200)) ? '2000' : '',
      }),
      '期号 2000 未开盘',
    ],
    [
      'of a phase that has closed',
      async ({ gameId }) => ({ phase: (await addPhase(server.db, gameId, '2001', -120, 1)) ? '2001' : '' }),
      '期号 2001 已封盘',
    ],
    [
      'of a game that is off',
      async ({ gameId }) => {
        await sql`update game set status = false where id = ${gameId}`.execute(server.db);
        return {};
      },
      '该游戏未启用，不能投注',
    ],
    [
      'of a game whose betting is off',
      async ({ gameId }) => {
        await sql`update game set "betStatus" = false where id = ${gameId}`.execute(server.db);
        return {};
      },
      '该游戏未开放投注',
    ],
    [
      'of a game that closes too late',
      async ({ gameId }) => {
        await sql`update game set "stopBetSecond" = 1 where id = ${gameId}`.execute(server.db);
        return {};
      },
      '该游戏的封盘秒数少于 2，不接受投注',
    ],
    [
      'of a local phase without a promise',
      async ({ gameId }) => {
        await sql`insert into local_game ("gameId", since) values (${gameId}, now())`.execute(server.db);
        return {};
      },
      '期号 1000 的开奖尚未承诺，暂不接受投注',
    ],
    [
      'for more money than there is',
      ({ bigSmall }) => ({ lines: [{ playWayId: bigSmall, selection: '大', unitStake: '1000.01' }] }),
      '可用余额不足',
    ],
    [
      'with no number',
      ({ bigSmall }) => ({ lines: [{ playWayId: bigSmall, selection: '大,大', unitStake: '1' }] }),
      '第 1 个注项的选号有误：号码 大 重复',
    ],
    [
      'for what has no odds',
      ({ bigSmall }) => ({ lines: [{ playWayId: bigSmall, selection: '和', unitStake: '1' }] }),
      '第 1 个注项的选号有误：不能选号码 和',
    ],
    [
      'of an outcome without odds',
      async ({ threeStars }) => {
        await sql`update play_way set outcomes = '[]' where id = ${threeStars}`.execute(server.db);
        return { lines: [{ playWayId: threeStars, selection: '1|2|3', unitStake: '1' }] };
      },
      '第 1 个注项没有赔率：该玩法还没有赔率',
    ],
    ['without lines', () => ({ lines: [] }), '注项不能为空'],
    [
      'of more than 200 lines',
      ({ bigSmall }) => ({
        lines: Array.from({ length: 201 }, () => ({ playWayId: bigSmall, selection: '大', unitStake: '1' })),
      }),
      '注项不能超过 200 项',
    ],
    [
      'of another game’s play way',
      async () => ({
        lines: [{ playWayId: (await buildBetting(server.db)).bigSmall, selection: '大', unitStake: '1' }],
      }),
      '第 1 个注项的玩法不存在或不属于该游戏',
    ],
  ])('%s', async (_, change, message) => {
    const betting = await buildBetting(server.db);
    const answer = await place(slipOn(betting, await change(betting)));
    expect(answer).toMatchObject({ success: false, msg: message });
    expect(await slipsOf(server.db, betting)).toBe(0);
    expect((await balanceOf(server.db, betting.userId)).totalAmount).toBe('1000.00');
  });

  it('but not one of just 200 lines', async () => {
    const betting = await buildBetting(server.db);
    const line = { playWayId: betting.bigSmall, selection: '大', unitStake: '1' };
    const answer = await place(slipOn(betting, { lines: Array.from({ length: 200 }, () => line) }));
    expect(answer).toMatchObject({ success: true });
    expect((await balanceOf(server.db, betting.userId)).totalAmount).toBe('800.00');
  });

  it('of a player who is frozen or excluded; one of a test account is marked', async () => {
    const betting = await buildBetting(server.db);
    const { userId } = betting;
    const freeze = async (reason: string) => (await admin.call(freezeUser, { userId, reason })).envelope.msg;
    expect(await freeze('涉嫌套利')).toBe('操作成功');
    expect(await freeze('涉嫌套利')).toBe('该用户已冻结');
    expect((await place(slipOn(betting))).msg).toBe('该用户已被冻结，不能投注');
    const [row] = (await admin.call(pageUsers, { frozen: true, id: userId })).envelope.data?.data ?? [];
    expect(row).toMatchObject({ frozen: true, freezeReason: '涉嫌套利' });
    expect((await admin.call(unfreezeUser, { userId, reason: '已经核实' })).envelope.success).toBe(true);
    expect((await admin.call(unfreezeUser, { userId, reason: '已经核实' })).envelope.msg).toBe(
      '该用户未冻结',
    );
    await admin.call(markTestAccount, { userId, testAccount: true });
    const slipId = (await place(slipOn(betting))).data?.slipId;
    const { rows } = await sql`select "testAccount" from slip where id = ${slipId}`.execute(server.db);
    expect(rows).toEqual([{ testAccount: true }]);
    const until = '2999-01-01 00:00:00';
    const exclude = async (excludedUntil: string) =>
      (await admin.call(excludeUser, { userId, excludedUntil, reason: '本人来电要求' })).envelope.msg;
    expect(await exclude(until)).toBe('操作成功');
    expect(await exclude('2998-01-01 00:00:00')).toBe(`自我禁投只能延长，现至 ${until}`);
    expect((await place(slipOn(betting))).msg).toBe(`该用户已自我禁投至 ${until}`);
    const other = (await site.call(createUser, { nickName: '甲' })).envelope.data ?? 0;
    expect((await place(slipOn(betting, { userId: other }))).msg).toBe('可用余额不足');
  });

  it('where a play way or number is stopped, at once and on every server', async () => {
    const betting = await buildBetting(server.db);
    const { bigSmall, gameId } = betting;
    const second = await startTestServer({}, server.database);
    try {
      const elsewhere = second.site();
      const placeThere = async () => (await elsewhere.call(placeBet, slipOn(betting))).envelope.msg;
      expect(await placeThere()).toBe('操作成功');
      const { rows } = await sql<{ id: number }>`
        select o.id from odds o join game_number n on n.id = o."numberId" where o."playWayId" = ${bigSmall} and n.number = '大'`.execute(
        server.db,
      );
      const id = rows[0]?.id ?? 0;
      expect((await admin.call(stopOdds, { id, stopped: true })).envelope.msg).toBe('号码“大”已停押');
      expect(await placeThere()).toBe('第 1 个注项的号码 大 已停押');
      const small = { lines: [{ playWayId: bigSmall, selection: '小', unitStake: '1' }] };
      expect((await elsewhere.call(placeBet, slipOn(betting, small))).envelope.success).toBe(true);
      expect((await admin.call(stopPlayWay, { id: bigSmall, stopped: true })).envelope.msg).toBe(
        '玩法“总和大小”已停押',
      );
      expect((await elsewhere.call(placeBet, slipOn(betting, small))).envelope.msg).toBe(
        '第 1 个注项的玩法“总和大小”已停押',
      );
      await admin.call(stopPlayWay, { id: bigSmall, stopped: false });
      await admin.call(stopOdds, { id, stopped: false });
      expect(await placeThere()).toBe('操作成功');
      expect(await slipsOf(server.db, betting)).toBe(3);
      await sql`update game set status = false where id = ${gameId}`.execute(server.db);
      expect(await placeThere()).toBe('该游戏未启用，不能投注');
    } finally {
      await second.close();
    }
  });

  it('when the odds changed and it does not accept that, with the new ones', async () => {
    const betting = await buildBetting(server.db);
    const { bigSmall } = betting;
    const seen = (acceptOdds: WantedBet['acceptOdds'], odds: string | undefined) =>
      place(
        slipOn(betting, {
          acceptOdds,
          lines: [{ playWayId: bigSmall, selection: '大', unitStake: '1', odds }],
        }),
      );
    expect((await seen('SAME', '1.980')).success).toBe(true);
    await sql`update odds set odds = 2.05 where "playWayId" = ${bigSmall}`.execute(server.db);
    const refused = await seen(undefined, '1.98');
    expect(refused).toMatchObject({
      ...{ success: false, msg: '第 1 个注项的赔率已变更' },
      data: {
        errors: { lines: '第 1 个注项的赔率已变更' },
        lines: [{ place: 1, playWayId: bigSmall, odds: '2.05' }],
      },
    });
    expect(documented(placeBet, 200).safeParse(refused).success).toBe(true);
    expect((await seen('BETTER', '1.98')).data?.lines[0]?.odds).toBe('2.05');
    await sql`update odds set odds = 1.9 where "playWayId" = ${bigSmall}`.execute(server.db);
    expect((await seen('BETTER', '1.98')).success).toBe(false);
    expect((await seen('ANY', '1.98')).data?.lines[0]?.odds).toBe('1.9');
    expect((await seen('SAME', undefined)).data?.lines[0]?.odds).toBe('1.9');
  });

  it('when somebody holds its account for too long, within the second it may take', async () => {
    const betting = await buildBetting(server.db);
    await place(slipOn(betting));
    await server.db.transaction().execute(async (tx) => {
      await sql`select from account where "userId" = ${betting.userId} for update`.execute(tx);
      const { status, envelope } = await site.call(placeBet, slipOn(betting));
      expect([status, envelope.msg]).toEqual([503, '同一数据正被多处同时修改，请稍后再试']);
      const { userId: other } = await buildUser(server.db, { balance: '5' });
      const small = {
        userId: other,
        lines: [{ playWayId: betting.bigSmall, selection: '小', unitStake: '5' }],
      };
      expect((await place(slipOn(betting, small))).success).toBe(true);
    });
  });
});
