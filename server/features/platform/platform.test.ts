import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import { pageAccounts } from '#contract/accounts.ts';
import {
  createUser,
  getUserBalance,
  pageGamePlans,
  pageGameRecords,
  placeDeposit,
  placeWithdrawal,
  postEntries,
} from '#contract/platform.ts';
import { addUser, pageUsers } from '#contract/users.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let site: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
});
afterAll(() => server.close());

describe('users', () => {
  it('arrive with an account, and are found by every search field', async () => {
    const admin = await server.admin();
    const parentId = given((await site.call(createUser, { nickName: '上级' })).envelope.data);
    const user = {
      nickName: '小明 100%_',
      username: 'XiaoMing',
      realName: '王小明',
      agentId: 77,
      parentId,
      phone: '13800001234',
      email: 'ming@example.com',
      level: 3,
    };
    const id = given((await site.call(createUser, user)).envelope.data);
    const [found] = (await admin.call(pageUsers, { id })).envelope.data?.data ?? [];
    expect(found).toMatchObject({ id, ...user });
    const searches = [
      { username: 'xiaoming' },
      { realName: '小明' },
      { nickName: '0%_' },
      { agentId: 77 },
      { level: 3 },
      { phone: '1234' },
      { email: 'ming@' },
      { id, createTimeRange: ['2000-01-01 00:00:00', '2999-12-31 23:59:59'] as [string, string] },
    ];
    for (const search of searches) {
      const { totalCount, data } = (await admin.call(pageUsers, search)).envelope.data ?? {
        totalCount: 0,
        data: [],
      };
      expect([totalCount, data.map((row) => row.id)], JSON.stringify(search)).toEqual([1, [id]]);
    }
    const [account] = (await admin.call(pageAccounts, { agentId: 77 })).envelope.data?.data ?? [];
    expect(account).toMatchObject({ userId: id, totalAmount: '0.00' });
    const taken = await site.call(createUser, { ...user, username: 'xiaoming' });
    expect(taken.envelope).toMatchObject({
      success: false,
      msg: '用户名已存在',
      data: { errors: { username: '用户名已存在' } },
    });
    const orphan = await site.call(createUser, { nickName: '孤儿', parentId: 9_999_999 });
    expect(orphan.envelope).toMatchObject({ success: false, msg: '记录不存在' });
  });

  it('added in the console have a nickname only, and lists count exactly', async () => {
    const admin = await server.admin();
    const before = (await admin.call(pageUsers, {})).envelope.data?.totalCount ?? 0;
    const { envelope } = await admin.call(addUser, { nickName: '新来的' });
    expect(envelope).toMatchObject({ success: true, msg: '新增成功' });
    const page = (await admin.call(pageUsers, { pageSize: 1 })).envelope.data;
    expect(page).toMatchObject({
      totalCount: before + 1,
      data: [{ id: envelope.data, nickName: '新来的', username: null, level: 0 }],
    });
    expect((await admin.call(pageAccounts, {})).envelope.data?.totalCount).toBe(before + 1);
    expect((await admin.call(addUser, { nickName: ' ' })).envelope.msg).toBe('昵称不能为空');
  });
});

describe('entries', () => {
  const bet = (userId: number, amount: string, bizOrderNo: string = randomUUID()) =>
    ({ userId, changeType: 'BET', amount, bizOrderNo }) as const;
  const win = (userId: number, amount: string, bizOrderNo: string = randomUUID()) =>
    ({ userId, changeType: 'WIN', amount, bizOrderNo }) as const;

  it('are posted in order, all or none', async () => {
    const [one, two] = [await buildUser(server.db, { balance: '10' }), await buildUser(server.db)];
    const entries = [
      bet(one.userId, '4'),
      win(two.userId, '2.5'),
      win(one.userId, '8', 'W-1'),
      bet(one.userId, '14'),
    ];
    const { envelope } = await site.call(postEntries, { entries });
    expect(envelope.data?.map(({ newAmount }) => newAmount)).toEqual(['6.00', '2.50', '14.00', '0.00']);
    expect(envelope.data?.[2]).toMatchObject({ bizOrderNo: 'W-1', changeType: 'WIN' });
    const failing = await site.call(postEntries, {
      entries: [win(two.userId, '1'), bet(one.userId, '0.0001')],
    });
    expect(failing.envelope.success).toBe(false);
    expect((await balanceOf(server.db, two.userId)).totalAmount).toBe('2.50');
  });

  it('of which one cannot be posted are refused by its place among those sent, and its number', async () => {
    const [one, two] = [await buildUser(server.db, { balance: '10' }), await buildUser(server.db)];
    const first = win(two.userId, '2.5', `F-${two.userId}`);
    await site.call(postEntries, { entries: [first] });
    // What was posted before, or is sent twice, counts as sent.
    const refused = async (last: ReturnType<typeof bet | typeof win>) =>
      (
        await site.call(postEntries, {
          entries: [first, bet(one.userId, '10', `T-${one.userId}`), first, last, bet(one.userId, '3')],
        })
      ).envelope;
    expect(await refused(bet(one.userId, '0.0001', 'U-0'))).toMatchObject({
      ...{ success: false, code: 400 },
      msg: '第 4 条账变（业务单号 U-0）：可用余额不足',
    });
    const unknown = win(99_999_999, '1', 'U-1');
    expect((await refused(unknown)).msg).toBe('第 4 条账变（业务单号 U-1）：记录不存在');
    expect((await refused(win(two.userId, '999999999999', 'U-2'))).msg).toBe(
      '第 4 条账变（业务单号 U-2）：余额超出上限',
    );
    // Of a single one there is nothing to tell apart.
    expect((await site.call(postEntries, { entries: [unknown] })).envelope.msg).toBe('记录不存在');
    expect((await balanceOf(server.db, one.userId)).totalAmount).toBe('10.00');
    expect((await balanceOf(server.db, two.userId)).totalAmount).toBe('2.50');
  });

  it('sent again answer what was posted first, also in part, in one batch and 20 at once', {
    retry: 0,
  }, async () => {
    const { userId } = await buildUser(server.db, { balance: '100' });
    const first = bet(userId, '5', `T-${userId}`);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => site.call(postEntries, { entries: [first] })),
    );
    expect(new Set(answers.map(({ envelope }) => JSON.stringify(envelope.data))).size).toBe(1);
    const mixed = await site.call(postEntries, {
      entries: [win(userId, '1'), first, { ...first, changeType: 'WIN' }, first],
    });
    expect(mixed.envelope.data?.map(({ newAmount }) => newAmount)).toEqual([
      '96.00',
      '95.00',
      '101.00',
      '95.00',
    ]);
    expect((await balanceOf(server.db, userId)).totalAmount).toBe('101.00');
  });

  it('of opposite orders in parallel batches never deadlock', { retry: 0 }, async () => {
    const players = await Promise.all(Array.from({ length: 6 }, () => buildUser(server.db)));
    const ids = players.map(({ userId }) => userId);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) => {
        const order = i % 2 ? ids : ids.toReversed();
        return site.call(postEntries, { entries: order.map((id) => win(id, '1')) });
      }),
    );
    expect(answers.every(({ envelope }) => envelope.success)).toBe(true);
    const admin = await server.admin();
    expect((await admin.call(pageAccountHistory, { userId: given(ids[0]) })).envelope.data?.totalCount).toBe(
      24,
    );
    await expectProven(server.db);
  });

  it('take 1,000 at once and refuse the types that operators and orders post', async () => {
    const { userId } = await buildUser(server.db);
    const thousand = Array.from({ length: 1_000 }, () => win(userId, '0.01'));
    expect((await site.call(postEntries, { entries: thousand })).envelope.data?.at(-1)?.newAmount).toBe(
      '10.00',
    );
    const forged = { ...win(userId, '1'), changeType: 'MANUAL_ADDITION' as 'WIN' };
    expect((await site.call(postEntries, { entries: [forged] })).envelope.success).toBe(false);
    expect((await site.call(postEntries, { entries: [] })).envelope.success).toBe(false);
  });
});

describe('orders from the site', () => {
  it('sent again, also at once, are the same order', { retry: 0 }, async () => {
    const { userId } = await buildUser(server.db, { balance: '50' });
    const order = {
      userId,
      amount: '9',
      type: 'USDT_TRANSFER',
      bankOrderNo: randomUUID(),
      usdtAmount: '1.2345',
    } as const;
    const deposits = await Promise.all(Array.from({ length: 10 }, () => site.call(placeDeposit, order)));
    expect(new Set(deposits.map(({ envelope }) => envelope.data)).size).toBe(1);
    const out = { userId, amount: '20', bankOrderNo: randomUUID(), receiveAccount: { accountNo: '1' } };
    const withdrawals = await Promise.all(Array.from({ length: 10 }, () => site.call(placeWithdrawal, out)));
    expect(new Set(withdrawals.map(({ envelope }) => envelope.data)).size).toBe(1);
    const { envelope } = await site.call(getUserBalance, { id: userId });
    expect(envelope.data).toEqual({
      userId,
      totalAmount: '50.00',
      availableAmount: '30.00',
      freezeAmount: '20.00',
      debt: '0.00',
      turnoverRest: '0.00',
    });
    expect((await site.call(getUserBalance, { id: 99_999_999 })).envelope.msg).toBe('记录不存在');
    expect(
      (await site.call(placeDeposit, { ...order, userId: 99_999_999, bankOrderNo: randomUUID() })).envelope
        .msg,
    ).toBe('记录不存在');
  });
});

describe('draws of a game', () => {
  it('are a page for a game there is, and 记录不存在 for one there is not', async () => {
    const id = await buildGame(server.db);
    for (const call of [pageGameRecords, pageGamePlans]) {
      expect((await site.call(call, { id })).envelope.data).toEqual({ totalCount: 0, data: [] });
      expect((await site.call(call, { id: 99_999 })).envelope).toMatchObject({
        success: false,
        code: 400,
        msg: '记录不存在',
      });
    }
  });
});

describe('the platform key', () => {
  it('opens these calls and nothing else, and nobody else opens them', async () => {
    const admin = await server.admin();
    const { userId } = await buildUser(server.db);
    for (const client of [admin, server.anonymous, server.withToken(`${site.token}x`)]) {
      const { envelope } = await client.call(getUserBalance, { id: userId });
      expect(envelope).toMatchObject({ success: false, code: 401 });
    }
    expect((await site.call(pageUsers, {})).envelope).toMatchObject({ success: false, code: 401 });
    const off = await startTestServer({ platformApiKey: null }, server.database);
    const answer = await off.withToken(site.token).call(getUserBalance, { id: userId });
    expect(answer.status).toBe(404);
    await off.close();
  });
});
