import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccountHistory, sumAccountHistory } from '#contract/account-history.ts';
import { pageAccounts, sumAccounts } from '#contract/accounts.ts';
import { pageDeposits, reviewDeposit, sumDeposits } from '#contract/deposits.ts';
import type { WireInput } from '#contract/endpoint.ts';
import { exportFormats } from '#contract/export-formats.ts';
import { placeDeposit, placeWithdrawal } from '#contract/platform.ts';
import { requestFor } from '#contract/request.ts';
import { addRole, listRoles } from '#contract/roles.ts';
import { pageUsers } from '#contract/users.ts';
import { sumWithdrawals } from '#contract/withdrawals.ts';
import { buildUser } from '#server/testing/build-user.ts';
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

const deposit = async (userId: number, amount: string) => {
  const order = { userId, amount, type: 'BANK_TRANSFER' as const, bankOrderNo: randomUUID() };
  return (await site.call(placeDeposit, order)).envelope.data ?? 0;
};

const page = async (input: WireInput<typeof pageDeposits>) => {
  const { data } = (await admin.call(pageDeposits, input)).envelope;
  if (!data) throw new Error('no page');
  return data;
};

const all = { createTimeRange: ['2000-01-01 00:00:00', '2999-01-01 00:00:00'] as [string, string] };

describe('a list of orders', () => {
  it('is sorted by what the contract offers, over pages and from both ends, whatever it is searched by', async () => {
    const { userId, username } = await buildUser(server.db);
    const amounts = ['30', '5.5', '120', '5.5', '0.01', '99', '7', '1000'];
    for (const amount of amounts) await deposit(userId, amount);
    const sorted = amounts.toSorted((one, other) => Number(one) - Number(other));
    const searches: WireInput<typeof pageDeposits>[] = [
      { userId },
      { username, ...all },
      { userId, status: 'PROCESSING' },
    ];
    for (const search of searches) {
      const pages = await Promise.all(
        [1, 2, 3].map((currentPage) => page({ ...search, sort: 'amount', currentPage, pageSize: 3 })),
      );
      expect(pages.flatMap(({ data }) => data.map(({ amount }) => Number(amount)))).toEqual(
        sorted.map(Number),
      );
      expect(pages.map(({ totalCount }) => totalCount)).toEqual([8, 8, 8]);
    }
    const [newest, oldest] = [await page({ userId }), await page({ userId, sort: 'id' })];
    expect(oldest.data).toEqual(newest.data.toReversed());
    // Of all orders, which are counted and not looked through.
    for (const search of [{}, { status: 'PROCESSING' as const }, all]) {
      const whole = await page({ ...search, pageSize: 1000 });
      const byAmount = await page({ ...search, sort: '-amount', pageSize: 1000 });
      expect(byAmount.data.map(({ id }) => id).toSorted()).toEqual(whole.data.map(({ id }) => id).toSorted());
      const found = byAmount.data.map(({ amount }) => Number(amount));
      expect(found).toEqual(found.toSorted((one, other) => other - one));
      const last = Math.ceil(whole.totalCount / 3);
      const end = await page({ ...search, sort: '-amount', currentPage: last, pageSize: 3 });
      expect(end.data).toEqual(byAmount.data.slice((last - 1) * 3));
    }
    const byTime = await page({ ...all, sort: 'createTime', pageSize: 1000 });
    expect(byTime.data.map(({ createTime }) => createTime)).toEqual(
      byTime.data.map(({ createTime }) => createTime).toSorted(),
    );
  });

  it('is exported in its order', async () => {
    const { userId } = await buildUser(server.db);
    for (const amount of ['2', '30', '1']) await deposit(userId, amount);
    const { method, url, body, contentType } = requestFor(pageDeposits, { userId, sort: '-amount' });
    const answer = await fetch(server.origin + url, {
      method,
      body,
      headers: {
        accept: exportFormats.csv,
        authorization: `Bearer ${admin.token}`,
        ...(contentType ? { 'content-type': contentType } : {}),
      },
    });
    const lines = (await answer.text()).trim().split(/\r?\n/).slice(1);
    expect(lines.map((line) => /,(30|2|1)\.00,/.exec(line)?.[1])).toEqual(['30', '2', '1']);
  });

  it('is refused by another column at that field', async () => {
    const answer = await admin.call(pageDeposits, { sort: 'fromName' as 'amount' });
    expect(answer.envelope).toMatchObject({
      success: false,
      data: { errors: { sort: '排序不是可以排序的列' } },
    });
  });
});

it('players and accounts are sorted by what their indexes carry, also where they are searched', async () => {
  const players = [await buildUser(server.db), await buildUser(server.db)];
  for (const sort of ['id', '-id', 'level', 'createTime', '-createTime'] as const) {
    const { data } = (await admin.call(pageUsers, { sort, pageSize: 1000 })).envelope;
    const key = sort.replace('-', '') as 'id' | 'level' | 'createTime';
    const values = (data?.data ?? []).map((user) => user[key]);
    const up = values.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
    expect(values, sort).toEqual(sort.startsWith('-') ? up.toReversed() : up);
    expect(data?.totalCount).toBe(values.length);
  }
  const ids = async (sort: 'userId' | '-userId') =>
    (await admin.call(pageAccounts, { sort, pageSize: 1000 })).envelope.data?.data.map(
      ({ userId }) => userId,
    );
  expect(await ids('-userId')).toEqual((await ids('userId'))?.toReversed());
  expect(await ids('userId')).toEqual(expect.arrayContaining(players.map(({ userId }) => userId)));
});

it('a list that is read whole is sorted by any column it offers, and nothing comes last', async () => {
  const mark = randomUUID().slice(0, 8);
  for (const desc of ['丙', '甲', '乙10', '乙9'])
    await admin.call(addRole, { desc: `${mark}${desc}`, name: `${mark}${desc}` });
  const names = async (sort: 'desc' | '-desc') =>
    (await admin.call(listRoles, { desc: mark, sort })).envelope.data?.map(({ desc }) => desc.slice(8));
  const up = await names('desc');
  expect(up).toEqual(['丙', '甲', '乙9', '乙10']);
  expect(await names('-desc')).toEqual(up?.toReversed());
});

describe('the totals of a list', () => {
  it('are exact over the whole search, whatever page is shown', async () => {
    const { userId, username } = await buildUser(server.db, { balance: '100.0003' });
    // Of somebody else, who is not searched for.
    await buildUser(server.db, { balance: '7' });
    const ids = [
      await deposit(userId, '0.1'),
      await deposit(userId, '0.2'),
      await deposit(userId, '999999999.9999'),
    ];
    await admin.call(reviewDeposit, { id: ids[1] ?? 0, action: 'PASS' });
    const sum = async (search: WireInput<typeof sumDeposits>) =>
      (await admin.call(sumDeposits, search)).envelope.data?.amount;
    expect(await sum({ userId })).toBe('1000000000.2999');
    expect(await sum({ username: username.slice(1), status: 'PROCESSING', ...all })).toBe('1000000000.0999');
    expect(await sum({ userId, status: 'FAIL' })).toBe('0.00');
    expect(await sum({ username: 'nobody at all' })).toBe('0.00');
    const createTimeRange: [string, string] = ['2020-01-01 00:00:00', '2020-01-31 23:59:59'];
    expect(await sum({ userId, createTimeRange })).toBe('0.00');

    await site.call(placeWithdrawal, {
      userId,
      amount: '40.5',
      bankOrderNo: randomUUID(),
      receiveAccount: { accountNo: '6222' },
    });
    expect((await admin.call(sumWithdrawals, { userId })).envelope.data).toEqual({
      amount: '40.50',
      usdtAmount: '0.00',
    });
    const rows = (await admin.call(pageAccountHistory, { userId, pageSize: 1000 })).envelope.data?.data ?? [];
    const totals = (await admin.call(sumAccountHistory, { userId })).envelope.data;
    const of = (way: 'IN' | 'OUT') =>
      rows
        .filter(({ direction }) => direction === way)
        .reduce((total, { amount }) => total + Number(amount), 0);
    expect(Number(totals?.income)).toBeCloseTo(of('IN'), 4);
    expect(Number(totals?.expense)).toBeCloseTo(of('OUT'), 4);
    expect((await admin.call(sumAccountHistory, { userId, changeType: 'WIN' })).envelope.data).toEqual({
      income: '0.00',
      expense: '0.00',
    });
    expect((await admin.call(sumAccountHistory, { userId, createTimeRange })).envelope.data).toEqual({
      income: '0.00',
      expense: '0.00',
    });
    expect((await admin.call(sumAccounts, { userId })).envelope.data).toMatchObject({
      totalAmount: '100.2003',
      availableAmount: '59.7003',
      freezeAmount: '40.50',
    });
    const everyone = (await admin.call(sumAccounts, {})).envelope.data;
    expect(Number(everyone?.totalAmount)).toBeGreaterThanOrEqual(100.2003);
  });
});
