import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageChangeRecords } from '#contract/change-records.ts';
import { pageDeposits, reviewDeposit } from '#contract/deposits.ts';
import type { WireInput } from '#contract/endpoint.ts';
import { placeDeposit } from '#contract/platform.ts';
import { cancelBet, placeBet } from '#contract/platform-bets.ts';
import {
  excludeOneself,
  getPlayerState,
  liftExclusion,
  listPlayerLimits,
  setOwnLimit,
  setPlayerLimit,
} from '#contract/player-limits.ts';
import { excludeUser, freezeUser } from '#contract/users.ts';
import { addPhase, type Betting, buildBetting, slipOn } from '#server/testing/build-betting.ts';
import {
  buildBettors,
  buildPhase,
  buildSlips,
  builtLine,
  recordResult,
} from '#server/testing/build-slips.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { inParallel } from '#server/testing/parallel.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';
import { settleDue } from '../settlements/settle.ts';

let server: TestServer;
let site: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
  admin = await server.admin();
  // Phases are drawn here while they still take bets.
  await sql`alter table draw_record disable trigger draw_record_checked`.execute(server.database.owner);
});
afterAll(() => server.close());

type Wish = Omit<WireInput<typeof setOwnLimit>, 'id'>;
const wish = async (id: number, wanted: Wish) => (await site.call(setOwnLimit, { id, ...wanted })).envelope;
const limitOf = async (userId: number, period = 'DAY') =>
  given(
    (await admin.call(listPlayerLimits, { userId })).envelope.data?.find((each) => each.period === period),
  );
const deposit = (userId: number, amount = '10', bankOrderNo: string = randomUUID()) =>
  site
    .call(placeDeposit, { userId, amount, type: 'BANK_TRANSFER', bankOrderNo })
    .then(({ envelope }) => envelope);
const bet = (betting: Betting, more: Partial<ReturnType<typeof slipOn>> = {}) =>
  site.call(placeBet, slipOn(betting, more)).then(({ envelope }) => envelope);
const on = (betting: Betting, selection: string, unitStake: string) => ({
  lines: [{ playWayId: betting.bigSmall, selection, unitStake }],
});
const proven = async () => expect((await proveBets(server.db)).breaks).toEqual([]);
async function waitIsOver(userId: number): Promise<void> {
  await sql`update player_limit set "nextTime" = clock_timestamp() where "userId" = ${userId}`.execute(
    server.db,
  );
}

describe('a limit of a player', () => {
  it('is lowered at once, raised and lifted after the wait, and shown as waiting until then', async () => {
    const { userId } = await buildUser(server.db, { balance: '0' });
    const day = { kind: 'DEPOSIT', period: 'DAY' } as const;
    expect((await wish(userId, day)).data).toMatchObject({ errors: { amount: '没有此项限额，请填写金额' } });
    expect((await wish(userId, { ...day, amount: '100' })).data).toMatchObject({
      ...{ amount: '100.00', used: '0.00', left: '100.00', nextAmount: null, nextTime: null },
    });
    await wish(userId, { ...day, amount: '80' });
    const raised = await wish(userId, { ...day, amount: '500' });
    expect(raised.data).toMatchObject({ amount: '80.00', nextAmount: '500.00' });
    const { rows } = await sql<{ hours: number }>`
      select extract(epoch from ${given(raised.data?.nextTime)}::timestamptz - clock_timestamp()) / 3600 as hours`.execute(
      server.db,
    );
    expect(Math.round(Number(rows[0]?.hours))).toBe(24);
    // Asked for again it waits no longer than before, by an operator neither.
    const again = await admin.call(setPlayerLimit, { userId, ...day, amount: '500', reason: '本人来电' });
    expect(again.envelope.data?.nextTime).toBe(raised.data?.nextTime);
    expect(again.envelope.msg).toBe(`限额调高或取消将于 ${raised.data?.nextTime} 生效`);
    expect((await deposit(userId, '81')).data).toMatchObject({
      errors: { amount: '超过每日充值限额 80.00，今日还可充值 80.00' },
    });
    await waitIsOver(userId);
    expect((await deposit(userId, '81')).success).toBe(true);
    expect(await limitOf(userId)).toMatchObject({ amount: '500.00', used: '81.00', left: '419.00' });
    expect((await wish(userId, day)).data).toMatchObject({
      ...{ amount: '500.00', nextAmount: null, nextTime: expect.any(String) },
    });
    await wish(userId, { ...day, amount: '90' });
    expect(await limitOf(userId)).toMatchObject({ amount: '90.00', left: '9.00', nextTime: null });
    await wish(userId, day);
    await waitIsOver(userId);
    expect((await deposit(userId, '1000')).success).toBe(true);
    expect((await admin.call(listPlayerLimits, { userId })).envelope.data).toEqual([]);
    expect((await wish(userId, day)).success).toBe(false);
    await wish(userId, { ...day, amount: '2000' });
    expect(await limitOf(userId)).toMatchObject({ amount: '2000.00', used: '1081.00' });
  });

  it('that an operator sets is told in the change record with its reason', async () => {
    const { userId } = await buildUser(server.db, { balance: '0' });
    const wanted = { userId, kind: 'LOSS', period: 'WEEK', amount: '50', reason: '家属来电' } as const;
    expect((await admin.call(setPlayerLimit, wanted)).envelope.msg).toBe('限额已生效');
    // What was lost before the week says nothing, counted together already or not.
    for (const [table, amount] of [
      ['player_loss', 'loss'],
      ['player_loss_delta', 'amount'],
    ] as const) {
      await sql`insert into ${sql.table(table)} ("userId", day, ${sql.ref(amount)}) values (${userId}, current_date - 7, 5)`.execute(
        server.db,
      );
      expect(await limitOf(userId, 'WEEK')).toMatchObject({ used: '0.00', left: '50.00' });
      await sql`delete from ${sql.table(table)} where "userId" = ${userId}`.execute(server.db);
    }
    await admin.call(setPlayerLimit, { ...wanted, amount: '30' });
    const records = (await admin.call(pageChangeRecords, { userId, userName: 'admin' })).envelope.data?.data;
    const [record] = (records ?? []).filter(({ call }) => call === 'setPlayerLimit');
    expect(JSON.stringify(record)).toContain('家属来电');
    expect(record).toMatchObject({
      ...{ before: expect.objectContaining({ amount: '50' }) },
      ...{ after: expect.objectContaining({ amount: '30' }) },
    });
    expect((await admin.call(setPlayerLimit, { ...wanted, userId: 987_654 })).envelope.msg).toBe(
      '记录不存在',
    );
  });
});

describe('deposits', () => {
  it('pass as many of 64 at once as the limit has room for, and each only once', { retry: 0 }, async () => {
    const { userId } = await buildUser(server.db, { balance: '0' });
    await wish(userId, { kind: 'DEPOSIT', period: 'WEEK', amount: '105' });
    await wish(userId, { kind: 'DEPOSIT', period: 'MONTH', amount: '500' });
    const numbers = Array.from({ length: 64 }, (): string => randomUUID());
    const answers = await inParallel(
      numbers.map((number) => () => deposit(userId, '10', number)),
      64,
    );
    const passed = numbers.filter((_, place) => answers[place]?.success);
    expect(passed).toHaveLength(10);
    for (const { success, data } of answers)
      if (!success)
        expect(data).toMatchObject({ errors: { amount: '超过每周充值限额 105.00，本周还可充值 5.00' } });
    // Sent again an order is answered, whatever remains; one that is refused gives its amount back.
    const [first = ''] = passed;
    const { data: id } = await deposit(userId, '10', first);
    expect(id).toBe(answers[numbers.indexOf(first)]?.data);
    await admin.call(reviewDeposit, { id: Number(id), action: 'REJECT', remark: '未到账' });
    expect(await limitOf(userId, 'WEEK')).toMatchObject({ used: '90.00', left: '15.00' });
    expect((await deposit(userId, '15')).success).toBe(true);
    const { data } = (await admin.call(pageDeposits, { userId, pageSize: 100 })).envelope;
    expect(data?.totalCount).toBe(11);
  });

  it('are refused of players who are frozen or excluded, by their site and by operators', async () => {
    const { userId } = await buildUser(server.db, { balance: '0' });
    const until = '2999-01-01 00:00:00';
    const past = { errors: { excludedUntil: '自我禁投的截止时间须晚于现在' } };
    const asked = (excludedUntil: string) =>
      site.call(excludeOneself, { id: userId, excludedUntil }).then(({ envelope }) => envelope);
    expect((await asked('2001-01-01 00:00:00')).data).toMatchObject(past);
    expect((await asked(until)).success).toBe(true);
    const shorter = { userId, excludedUntil: '2998-01-01 00:00:00', reason: '本人后悔' };
    expect((await admin.call(excludeUser, shorter)).envelope.msg).toBe(`自我禁投只能延长，现至 ${until}`);
    const lift = async () => (await admin.call(liftExclusion, { userId, reason: '到期解除' })).envelope.msg;
    expect(await lift()).toBe(`自我禁投至 ${until}，到期前任何人都不能解除`);
    for (const wanted of [sql`null`, sql`clock_timestamp()`])
      await expect(
        sql`update player set "excludedUntil" = ${wanted} where id = ${userId}`.execute(server.db),
      ).rejects.toThrow('is excluded until');
    expect((await deposit(userId)).msg).toBe(`该用户已自我禁投至 ${until}`);
    const state = async () => (await site.call(getPlayerState, { id: userId })).envelope.data;
    expect(await state()).toEqual({ frozen: false, excludedUntil: until, limits: [] });
    // Its date has come.
    await sql`alter table player disable trigger player_stays_excluded`.execute(server.database.owner);
    await sql`update player set "excludedUntil" = clock_timestamp() where id = ${userId}`.execute(server.db);
    await sql`alter table player enable trigger player_stays_excluded`.execute(server.database.owner);
    expect((await deposit(userId)).success).toBe(true);
    expect(await lift()).toBe('操作成功');
    expect(await lift()).toBe('该用户没有自我禁投');
    await admin.call(freezeUser, { userId, reason: '涉嫌套利' });
    expect((await deposit(userId)).msg).toBe('该用户已被冻结，不能充值');
    expect(await state()).toMatchObject({ frozen: true, excludedUntil: null });
    expect((await site.call(getPlayerState, { id: 987_654 })).envelope.msg).toBe('记录不存在');
  });
});

describe('losses', () => {
  it('of 64 slips at once pass as far as the limit goes, beside players without one', {
    retry: 0,
  }, async () => {
    const betting = await buildBetting(server.db);
    const { userId } = betting;
    await wish(userId, { kind: 'LOSS', period: 'DAY', amount: '205' });
    const others = await buildBettors(server.db, 32, '1000');
    const own = Array.from({ length: 64 }, () => () => bet(betting));
    const beside = others.map((other) => () => bet(betting, { userId: other }));
    const answers = await inParallel([...own, ...beside], 96);
    const refused = answers.slice(0, 64).filter(({ success }) => !success);
    expect(refused).toHaveLength(44);
    for (const { data } of refused)
      expect(data).toMatchObject({ errors: { userId: '超过每日亏损限额 205.00，今日最多还可投注 5.00' } });
    expect(answers.slice(64).every(({ success }) => success)).toBe(true);
    expect(await limitOf(userId)).toMatchObject({ used: '200.00', left: '5.00' });
    expect((await bet(betting, on(betting, '小', '5'))).success).toBe(true);
    await expectProven(server.db);
    await proven();
  });

  it('are stakes less what came back of the slips of a period; what is open counts as lost', async () => {
    const betting = await buildBetting(server.db);
    const { userId, gameId, phase } = betting;
    // What was placed before the limit was set counts.
    const before = given((await bet(betting, on(betting, '小', '40'))).data).slipId;
    await wish(userId, { kind: 'LOSS', period: 'MONTH', amount: '100' });
    expect((await bet(betting, on(betting, '大', '60.01'))).success).toBe(false);
    await bet(betting, on(betting, '大', '50'));
    const taken = given((await bet(betting, on(betting, '小', '10'))).data).slipId;
    expect((await bet(betting, on(betting, '大', '0.01'))).success).toBe(false);
    await site.call(cancelBet, { slipId: taken });
    expect(await limitOf(userId, 'MONTH')).toMatchObject({ used: '90.00', left: '10.00' });
    expect(before).toBeGreaterThan(0);
    await recordResult(server.db, { gameId, phase }, '9,9,9,9,9');
    await settleDue(server.db);
    // 90 were staked and 99 came back.
    expect(await limitOf(userId, 'MONTH')).toMatchObject({ used: '-9.00', left: '109.00' });
    await addPhase(server.db, gameId, '1001', -60, 3_600);
    const next = (stake: string) => bet(betting, { phase: '1001', ...on(betting, '小', stake) });
    expect((await next('109.01')).success).toBe(false);
    expect((await next('109')).success).toBe(true);
    await proven();
    // Lowered below what is lost already: nothing more is taken.
    await wish(userId, { kind: 'LOSS', period: 'DAY', amount: '10' });
    expect((await next('1')).data).toMatchObject({
      errors: { userId: '超过每日亏损限额 10.00，今日最多还可投注 0.00' },
    });
    await sql`update player_loss set loss = loss - 1 where "userId" = ${userId}`.execute(server.db);
    const { breaks } = await proveBets(server.db);
    expect(breaks).toEqual([
      {
        slipId: 0,
        problem: expect.stringMatching(RegExp(`^用户 ${userId} \\S+ 的亏损计数应为 100.0000，记为 99.0000$`)),
      },
    ]);
    await sql`update player_loss set loss = loss + 1 where "userId" = ${userId}`.execute(server.db);
  });

  it('are counted of every slip, whatever is placed and settled while the first limit is set', {
    retry: 0,
  }, async () => {
    const betting = await buildBetting(server.db, { balance: '100000' });
    const { gameId, phase } = betting;
    const [late = 0, ...bettors] = await buildBettors(server.db, 8, '100000');
    const users = [betting.userId, ...bettors];
    for (const userId of [...users, late]) await bet(betting, { userId, ...on(betting, '大', '20') });
    await addPhase(server.db, gameId, '1001', -60, 3_600);
    await recordResult(server.db, { gameId, phase }, '9,9,9,9,9');
    const slips = users.flatMap((userId) =>
      Array.from({ length: 8 }, () => () => bet(betting, { phase: '1001', userId })),
    );
    const limits = users.map(
      (userId) => () => wish(userId, { kind: 'LOSS', period: 'DAY', amount: '100000' }),
    );
    const mixed: (() => Promise<{ success: boolean }>)[] = limits.flatMap((limit, place) => [
      ...slips.slice(place * 8, place * 8 + 8),
      limit,
    ]);
    const settling = settleDue(server.db);
    const answers = await inParallel([...mixed.slice(36), ...mixed.slice(0, 36)], 24);
    await settling;
    await settleDue(server.db);
    expect(answers.every(({ success }) => success)).toBe(true);
    // 20 staked and 39.60 won before, 80 open.
    for (const userId of users) expect(await limitOf(userId)).toMatchObject({ used: '60.40' });
    // Whoever sets one when all is settled has lost what is left of it.
    await wish(late, { kind: 'LOSS', period: 'DAY', amount: '100000' });
    expect(await limitOf(late)).toMatchObject({ used: '-19.60' });
    await proven();
  });

  it('belong to the day on which a slip was placed, whenever it is settled', async () => {
    const { db } = server;
    const phase = await buildPhase(db);
    await sql`update draw_plan set "startTime" = "startTime" - interval '1 day' where "gameId" = ${phase.gameId}`.execute(
      db,
    );
    const [userId = 0, other = 0] = await buildBettors(db, 2);
    const bets = [userId, other].map((each) => ({ userId: each, lines: [builtLine('first', '9')] }));
    await buildSlips(db, phase, bets);
    for (const each of [userId, other])
      for (const period of ['DAY', 'MONTH'] as const)
        await wish(each, { kind: 'LOSS', period, amount: '100' });
    await recordResult(db, phase, '9,3,5,5,5');
    await settleDue(db);
    expect(await limitOf(userId)).toMatchObject({ used: '0.00' });
    // What came back is counted together when a player bets again, of that player alone.
    const betting = await buildBetting(db);
    const before = (await limitOf(other, 'MONTH')).used;
    expect((await bet(betting, { userId })).success).toBe(true);
    expect(await limitOf(userId)).toMatchObject({ used: '10.00' });
    expect((await limitOf(other, 'MONTH')).used).toBe(before);
    await proven();
  });
});
