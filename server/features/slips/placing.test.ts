import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WireInput } from '#contract/endpoint.ts';
import { stopOdds } from '#contract/odds.ts';
import { createUser } from '#contract/platform.ts';
import { getBet, getBetByBizNo, pageUserBets, placeBet } from '#contract/platform-bets.ts';
import { stopPlayWay } from '#contract/play-ways.ts';
import { excludeUser, freezeUser, markTestAccount, pageUsers, unfreezeUser } from '#contract/users.ts';
import { addPhase, type Betting, buildBetting } from '#server/testing/build-betting.ts';
import { balanceOf, buildPlayer } from '#server/testing/build-player.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

const KEY = 'platform-key-of-the-tests-of-slips';
let server: TestServer;
let site: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer({ platformApiKey: KEY });
  site = server.withToken(KEY);
  admin = await server.admin();
});
afterAll(() => server.close());

type Wanted = WireInput<typeof placeBet>;
const slipOn = ({ userId, gameId, phase, bigSmall }: Betting, rest: Partial<Wanted> = {}): Wanted => ({
  ...{ userId, gameId, phase, bizNo: randomUUID() },
  lines: [{ playWayId: bigSmall, selection: '大', unitStake: '10' }],
  ...rest,
});
const place = async (wanted: Wanted) => (await site.call(placeBet, wanted)).envelope;
const slipsOf = async ({ gameId }: Betting): Promise<number> => {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from slip where "gameId" = ${gameId}`.execute(server.db);
  return rows[0]?.n ?? -1;
};

describe('a slip', () => {
  it('is placed with its money, lines, odds and rules, and read by id, number and player', async () => {
    const betting = await buildBetting(server.db);
    const { userId, gameId, phase, bigSmall, threeStars } = betting;
    const bizNo = `site-${randomUUID()}`;
    const lines = [
      { playWayId: bigSmall, selection: '大,小', unitStake: '10', odds: '1.98' },
      {
        playWayId: threeStars,
        selection: '1,2|3|4,5',
        unitStake: 2.5,
        odds: [{ number: '前三直选', odds: '900.0' }],
      },
    ];
    const { data, msg } = await place(slipOn(betting, { bizNo, lines }));
    expect(msg).toBe('操作成功');
    expect(data).toEqual({
      slipId: expect.any(Number),
      stake: '30.00',
      lines: [
        { id: expect.any(Number), units: 2, stake: '20.00', odds: '1.98', maxPayout: '19.80' },
        { id: expect.any(Number), units: 4, stake: '10.00', odds: '900', maxPayout: '2250.00' },
      ],
    });
    const slipId = data?.slipId ?? 0;
    const slip = (await site.call(getBet, { slipId })).envelope.data;
    expect(slip).toMatchObject({
      slipId,
      bizNo,
      userId,
      gameId,
      phase,
      status: 'PENDING',
      stake: '30.00',
      payout: '0.00',
    });
    expect(slip).toMatchObject({ refund: '0.00', settleTime: null });
    expect(slip?.lines[1]).toEqual({
      ...{
        id: data?.lines[1]?.id,
        playWayId: threeStars,
        playWayName: '前三直选',
        selection: '1,2|3|4,5',
        units: 4,
      },
      ...{
        unitStake: '2.50',
        stake: '10.00',
        odds: '900',
        status: 'PENDING',
        winningUnits: 0,
        pushedUnits: 0,
      },
      ...{ payout: '0.00', refund: '0.00' },
    });
    expect((await site.call(getBetByBizNo, { bizNo })).envelope.data).toEqual(slip);
    const page = (await site.call(pageUserBets, { id: userId, gameId, phase, status: 'PENDING' })).envelope
      .data;
    expect(page).toEqual({ totalCount: 1, data: [slip] });
    expect((await site.call(pageUserBets, { id: userId, status: 'WON' })).envelope.data?.totalCount).toBe(0);
    expect((await balanceOf(server.db, userId)).availableAmount).toBe('970.00');
    const { rows } = await sql`
      select "bizOrderNo", amount, "changeType" from account_history where "userId" = ${userId} order by id desc limit 1`.execute(
      server.db,
    );
    expect(rows).toEqual([{ bizOrderNo: `B${slipId}`, amount: '30.00', changeType: 'BET' }]);
    const { rows: kept } = await sql<{ rules: unknown; played: string }>`
      select r.rules, r."categoryName" as played from slip_line l join slip_rules r on r.id = l."rulesId"
      where l."slipId" = ${slipId} order by l.id`.execute(server.db);
    expect(kept[1]?.rules).toMatchObject({
      ...{
        handler: 'ValueHandler',
        version: 1,
        oddsFrom: 'OUTCOME',
        odds: [{ number: '前三直选', odds: '900' }],
      },
      ...{ latitude: { name: '前三', resultIndex: '0,1,2' }, selection: { kind: 'PLACES', places: 3 } },
    });
    expect(kept[0]?.played).toBe('总和大小类');
    await expectProven(server.db);
  });

  it('keeps names and rules when its play way goes, and keeps what decides it from everybody', async () => {
    const betting = await buildBetting(server.db);
    const slipId = (await place(slipOn(betting))).data?.slipId ?? 0;
    await sql`delete from play_way where id = ${betting.bigSmall}`.execute(server.db);
    const slip = (await site.call(getBet, { slipId })).envelope.data;
    expect(slip?.lines[0]).toMatchObject({ playWayName: '总和大小', odds: '1.98' });
    for (const act of [
      sql`update slip set stake = 1 where id = ${slipId}`,
      sql`update slip set "createTime" = now() where id = ${slipId}`,
      sql`update slip_line set odds = '"9"' where "slipId" = ${slipId}`,
      sql`delete from slip where id = ${slipId}`,
      sql`delete from slip_line where "slipId" = ${slipId}`,
      sql`update slip_rules set "playWayName" = ''`,
    ])
      await expect(act.execute(server.db)).rejects.toMatchObject({
        code: expect.stringMatching(/^(BE001|42501)$/),
      });
    const gone = await place(slipOn(betting));
    expect(gone).toMatchObject({
      msg: '第 1 注项的玩法不存在或不属于该游戏',
      data: { errors: { lines: gone.msg } },
    });
  });

  it('sent again is answered by the first, whatever became of its play way; with other content it is refused', async () => {
    const betting = await buildBetting(server.db);
    const wanted = slipOn(betting, { bizNo: randomUUID() });
    const staked = (unitStake: string) => [{ playWayId: betting.bigSmall, selection: '大', unitStake }];
    const answers = await Promise.all(Array.from({ length: 8 }, () => place(wanted)));
    const [first] = answers;
    expect(first?.success).toBe(true);
    expect(answers.map(({ data }) => data)).toEqual(answers.map(() => first?.data));
    expect(await slipsOf(betting)).toBe(1);
    expect((await balanceOf(server.db, betting.userId)).totalAmount).toBe('990.00');
    const same = await place({ ...wanted, lines: staked('10.00') });
    expect(same.data).toEqual(first?.data);
    const other = await place({ ...wanted, lines: staked('11') });
    expect(other).toMatchObject({ success: false, msg: '业务注单号已被内容不同的注单使用' });
    await sql`delete from play_way where id = ${betting.bigSmall}`.execute(server.db);
    expect((await place(wanted)).data).toEqual(first?.data);
  });
});

describe('a slip is refused, and nothing of it stays,', () => {
  it.each<[string, (betting: Betting) => Partial<Wanted> | Promise<Partial<Wanted>>, string]>([
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
      '第 1 注项的选号有误：号码 大 重复',
    ],
    [
      'for what has no odds',
      ({ bigSmall }) => ({ lines: [{ playWayId: bigSmall, selection: '和', unitStake: '1' }] }),
      '第 1 注项的选号有误：不能选号码 和',
    ],
    [
      'of an outcome without odds',
      async ({ threeStars }) => {
        await sql`update play_way set outcomes = '[]' where id = ${threeStars}`.execute(server.db);
        return { lines: [{ playWayId: threeStars, selection: '1|2|3', unitStake: '1' }] };
      },
      '第 1 注项没有赔率：该玩法还没有赔率',
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
      '第 1 注项的玩法不存在或不属于该游戏',
    ],
  ])('%s', async (_, change, message) => {
    const betting = await buildBetting(server.db);
    const answer = await place(slipOn(betting, await change(betting)));
    expect(answer).toMatchObject({ success: false, msg: message });
    expect(await slipsOf(betting)).toBe(0);
    expect((await balanceOf(server.db, betting.userId)).totalAmount).toBe('1000.00');
  });

  it('of a player who is frozen or excluded; one of a test account is marked', async () => {
    const betting = await buildBetting(server.db);
    const { userId } = betting;
    const freeze = async (reason: string) => (await admin.call(freezeUser, { userId, reason })).envelope.msg;
    expect(await freeze('涉嫌套利')).toBe('操作成功');
    expect(await freeze('涉嫌套利')).toBe('该用户已经冻结');
    expect((await place(slipOn(betting))).msg).toBe('该用户已被冻结，不能投注');
    const [row] = (await admin.call(pageUsers, { frozen: true, id: userId })).envelope.data?.data ?? [];
    expect(row).toMatchObject({ frozen: true, freezeReason: '涉嫌套利' });
    expect((await admin.call(unfreezeUser, { userId, reason: '已经核实' })).envelope.success).toBe(true);
    expect((await admin.call(unfreezeUser, { userId, reason: '已经核实' })).envelope.msg).toBe(
      '该用户没有冻结',
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
    const second = await startTestServer({ platformApiKey: KEY }, server.database);
    try {
      const elsewhere = second.withToken(KEY);
      const placeThere = async () => (await elsewhere.call(placeBet, slipOn(betting))).envelope.msg;
      expect(await placeThere()).toBe('操作成功');
      const { rows } = await sql<{ id: number }>`
        select o.id from odds o join game_number n on n.id = o."numberId" where o."playWayId" = ${bigSmall} and n.number = '大'`.execute(
        server.db,
      );
      const id = rows[0]?.id ?? 0;
      expect((await admin.call(stopOdds, { id, stopped: true })).envelope.msg).toBe('号码“大”已停押');
      expect(await placeThere()).toBe('第 1 注项的号码 大 已停押');
      const small = { lines: [{ playWayId: bigSmall, selection: '小', unitStake: '1' }] };
      expect((await elsewhere.call(placeBet, slipOn(betting, small))).envelope.success).toBe(true);
      expect((await admin.call(stopPlayWay, { id: bigSmall, stopped: true })).envelope.msg).toBe(
        '玩法“总和大小”已停押',
      );
      expect((await elsewhere.call(placeBet, slipOn(betting, small))).envelope.msg).toBe(
        '第 1 注项的玩法“总和大小”已停押',
      );
      await admin.call(stopPlayWay, { id: bigSmall, stopped: false });
      await admin.call(stopOdds, { id, stopped: false });
      expect(await placeThere()).toBe('操作成功');
      expect(await slipsOf(betting)).toBe(3);
      await sql`update game set status = false where id = ${gameId}`.execute(server.db);
      expect(await placeThere()).toBe('该游戏未启用，不能投注');
    } finally {
      await second.close();
    }
  });

  it('when the odds changed and it does not accept that, with the new ones', async () => {
    const betting = await buildBetting(server.db);
    const { bigSmall } = betting;
    const seen = (acceptOdds: Wanted['acceptOdds'], odds: string | undefined) =>
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
      ...{ success: false, msg: '第 1 注项的赔率已变更' },
      data: {
        errors: { lines: '第 1 注项的赔率已变更' },
        lines: [{ place: 1, playWayId: bigSmall, odds: '2.05' }],
      },
    });
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
      const { userId: other } = await buildPlayer(server.db, { balance: '5' });
      const small = {
        userId: other,
        lines: [{ playWayId: betting.bigSmall, selection: '小', unitStake: '5' }],
      };
      expect((await place(slipOn(betting, small))).success).toBe(true);
    });
  });
});
