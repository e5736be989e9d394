import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccountHistory, sumAccountHistory } from '#contract/account-history.ts';
import { addBalance, pageAccounts, subtractBalance, sumAccounts } from '#contract/accounts.ts';
import { pageDeposits, sumDeposits } from '#contract/deposits.ts';
import { placeDeposit } from '#contract/platform.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { rawRequest } from '#server/testing/raw-request.ts';
import { under } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const ledgerRows = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from account_history`.execute(server.db);
  return rows[0]?.n ?? 0;
};

describe('the largest amounts', () => {
  it('are told exactly, alone and added up', async () => {
    const admin = await server.admin();
    const site = server.site();
    const [most, both] = ['999999999999.9999', '1999999999999.9998'];
    const one = await buildUser(server.db, { balance: most, username: 'largest-one' });
    await buildUser(server.db, { balance: most, username: 'largest-two' });
    const sum = { totalAmount: both, availableAmount: both, freezeAmount: '0.00', debt: '0.00' };
    expect((await admin.call(sumAccounts, { username: 'largest-' })).envelope.data).toEqual(sum);
    expect((await admin.call(sumAccountHistory, { username: 'largest-' })).envelope.data).toEqual({
      income: both,
      expense: '0.00',
    });
    const order = { userId: one.userId, amount: most, usdtAmount: most, type: 'USDT_TRANSFER' } as const;
    const placed = [1, 2].map((n) => site.call(placeDeposit, { ...order, bankOrderNo: `largest-${n}` }));
    for (const { envelope } of await Promise.all(placed)) expect(envelope.success).toBe(true);
    const filter = { userId: one.userId };
    expect((await admin.call(sumDeposits, filter)).envelope.data).toEqual({ amount: both, usdtAmount: both });
    const deposits = (await admin.call(pageDeposits, filter)).envelope.data?.data ?? [];
    expect(deposits.map(({ balanceAfter }) => balanceAfter)).toEqual([both, both]);
  });
});

describe('manual credit and debit', () => {
  it('move money exactly and tell the ledger', async () => {
    const admin = await server.admin();
    const { userId, accountId, username } = await buildUser(server.db);
    expect((await admin.call(addBalance, { id: accountId, balance: '100.1' })).envelope).toEqual({
      success: true,
      msg: '操作成功',
      data: true,
      code: 200,
    });
    await admin.call(addBalance, { id: accountId, balance: '0.0001' });
    await admin.call(subtractBalance, { id: accountId, balance: '0.3' });
    const account = (await admin.call(pageAccounts, { userId })).envelope.data?.data[0];
    expect(account).toEqual({
      id: accountId,
      userId,
      username,
      nickName: '测试玩家',
      totalAmount: '99.8001',
      availableAmount: '99.8001',
      freezeAmount: '0.00',
      debt: '0.00',
    });
    const ledger = (await admin.call(pageAccountHistory, { userId })).envelope.data;
    expect(ledger?.totalCount).toBe(3);
    expect(
      ledger?.data.map((row) => [row.originAmount, row.direction, row.amount, row.newAmount, row.changeType]),
    ).toEqual([
      ['100.1001', 'OUT', '0.30', '99.8001', 'MANUAL_DEDUCTION'],
      ['100.10', 'IN', '0.0001', '100.1001', 'MANUAL_ADDITION'],
      ['0.00', 'IN', '100.10', '100.10', 'MANUAL_ADDITION'],
    ]);
    expect(ledger?.data[0]).toMatchObject({
      account: { userId, username },
      desc: '操作员 admin',
      bizOrderNo: null,
    });
  });

  it('refuse more than is available, an unknown account and a balance beyond all bounds', async () => {
    const admin = await server.admin();
    const { accountId, userId } = await buildUser(server.db, { balance: '10' });
    const msg = async (promise: Promise<{ envelope: { msg: string | null } }>) =>
      (await promise).envelope.msg;
    expect(await msg(admin.call(subtractBalance, { id: accountId, balance: '10.0001' }))).toBe(
      '可用余额不足',
    );
    expect(await msg(admin.call(addBalance, { id: 999_999_999, balance: '1' }))).toBe('记录不存在');
    expect(await msg(admin.call(addBalance, { id: accountId, balance: '999999999999' }))).toBe(
      '余额超出上限',
    );
    const full = await buildUser(server.db, { balance: '999999999999.9999' });
    expect(await msg(admin.call(addBalance, { id: full.accountId, balance: '0.0001' }))).toBe('余额超出上限');
    expect(await balanceOf(server.db, userId)).toMatchObject({ totalAmount: '10.00' });
  });

  it('take exactly the amounts of the grammar: 10,000 generated strings, never rounded', async () => {
    const { checkedInput } = await import('#server/http/input.ts');
    const accepted = (balance: string): unknown => {
      try {
        return (checkedInput(addBalance, { id: '1', balance }) as { balance: string }).balance;
      } catch {
        return undefined;
      }
    };
    const digits = fc.stringMatching(/^[0-9]{0,14}$/);
    const near = fc
      .tuple(digits, fc.constantFrom('', '.', ',', 'e', '。'), fc.stringMatching(/^[0-9]{0,6}$/))
      .map((p) => p.join(''));
    const odd = fc.constantFrom(
      '1e3',
      '-5',
      '+5',
      'NaN',
      'Infinity',
      '１２',
      '1_000',
      ' 1',
      '1 ',
      '1\n',
      '0x10',
      '.5',
      '5.',
      '0',
      '0.0000',
      '00.1',
    );
    const candidate = fc.oneof(
      { weight: 6, arbitrary: near },
      { weight: 2, arbitrary: fc.string() },
      { weight: 1, arbitrary: odd },
    );
    const isAmount = (text: string) =>
      /^\d{1,12}(\.\d{1,4})?$/.test(text) && !text.includes('\n') && /[1-9]/.test(text);
    fc.assert(
      fc.property(candidate, (text) => {
        expect(accepted(text)).toBe(isAmount(text) ? text : undefined);
      }),
      { numRuns: 10_000, seed: randomSeed },
    );
  });

  it('refuse odd amounts over the wire and leave no row', async () => {
    const admin = await server.admin();
    const { accountId } = await buildUser(server.db);
    const before = await ledgerRows();
    for (const amount of [
      '1e3',
      '-5',
      'NaN',
      'Infinity',
      '%EF%BC%91%EF%BC%92',
      '0',
      '0.00001',
      '',
      '%20',
      '1234567890123',
      '%00',
      '1%2F2',
    ]) {
      const answer = await rawRequest(server.origin, {
        path: `/api/user/account/addBalance/${accountId}/${amount}`,
        headers: { authorization: `Bearer ${admin.token}` },
      });
      expect(answer.envelope?.success, amount).toBe(false);
      expect(answer.status, amount).toBeLessThan(500);
    }
    expect(await ledgerRows()).toBe(before);
  });

  it('happen through GET by the console only: no other way of asking changes a row', async () => {
    const admin = await server.admin();
    const { accountId, userId } = await buildUser(server.db, { balance: '50' });
    const before = await ledgerRows();
    const bearer = { authorization: `Bearer ${admin.token}` };
    const ways: { method?: string; query?: string; headers: Record<string, string> }[] = [
      ...['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'POST'].map((method) => ({ method, headers: bearer })),
      { headers: { ...bearer, 'sec-fetch-mode': 'navigate' } },
      { headers: { ...bearer, purpose: 'prefetch' } },
      { headers: { ...bearer, 'sec-purpose': 'prefetch;prerender' } },
      { query: `?access_token=${admin.token}`, headers: {} },
      { headers: { cookie: `access_token=${admin.token}; Authorization=Bearer ${admin.token}` } },
    ];
    for (const call of ['addBalance', 'subBalance'])
      for (const { method = 'GET', query = '', headers } of ways) {
        const path = `/api/user/account/${call}/${accountId}/1${query}`;
        const answer = await rawRequest(server.origin, { method, path, headers });
        expect(answer.headers['cache-control'], `${method} ${JSON.stringify(headers)}`).toBe('no-store');
        expect(answer.envelope?.success ?? false).toBe(false);
      }
    expect(await ledgerRows()).toBe(before);
    expect((await balanceOf(server.db, userId)).totalAmount).toBe('50.00');
  });
});

describe('an idempotency key on a credit', () => {
  it('20 keys x 10 parallel sends: 20 ledger rows and the same body each', { retry: 0 }, async () => {
    const admin = await server.admin();
    const { accountId, userId } = await buildUser(server.db);
    const before = await ledgerRows();
    const keys = Array.from({ length: 20 }, () => randomUUID());
    const bodies = await Promise.all(
      keys.map(async (key) => {
        const sends = Array.from({ length: 10 }, () =>
          admin.call(addBalance, { id: accountId, balance: '1.5' }, under(key)),
        );
        return new Set((await Promise.all(sends)).map(({ envelope }) => JSON.stringify(envelope)));
      }),
    );
    expect(bodies.every((set) => set.size === 1 && [...set][0]?.includes('"success":true'))).toBe(true);
    expect(await ledgerRows()).toBe(before + 20);
    expect((await balanceOf(server.db, userId)).totalAmount).toBe('30.00');
    const other = await admin.call(addBalance, { id: accountId, balance: '2' }, under(keys[0] ?? ''));
    expect(other.envelope).toMatchObject({ success: false, msg: '同一幂等键不能用于不同的请求' });
  });

  it('without one each call executes', async () => {
    const admin = await server.admin();
    const { accountId, userId } = await buildUser(server.db);
    await Promise.all(
      Array.from({ length: 5 }, () => admin.call(addBalance, { id: accountId, balance: '1' })),
    );
    expect((await balanceOf(server.db, userId)).totalAmount).toBe('5.00');
    await expectProven(server.db);
  });
});
