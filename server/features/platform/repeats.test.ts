import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reviewDeposit } from '#contract/deposits.ts';
import { createUser, placeDeposit, placeWithdrawal, postEntries } from '#contract/platform.ts';
import { setParam } from '#server/testing/approving.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { waitForLocks } from '#server/testing/meeting.ts';
import { rawRequest } from '#server/testing/raw-request.ts';
import { type TestClient, under } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let site: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
});
afterAll(() => server.close());

const used = (field: string) => ({
  success: false,
  msg: '订单号已被使用',
  data: { errors: { [field]: expect.stringContaining('已被使用') } },
});
const rowsOf = async (table: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(server.db);
  return rows[0]?.n ?? 0;
};

describe('an idempotency key of the players’ site', () => {
  it('20 parallel sends create one user, and all are told the same id', { retry: 0 }, async () => {
    const before = await rowsOf('player');
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => site.call(createUser, { nickName: '只此一人' }, under(key))),
    );
    expect(new Set(answers.map(({ envelope }) => JSON.stringify(envelope))).size).toBe(1);
    expect(answers[0]?.envelope.success).toBe(true);
    expect(await rowsOf('player')).toBe(before + 1);
    const other = await site.call(createUser, { nickName: '另一人' }, under(key));
    expect(other.envelope).toMatchObject({ success: false, msg: '同一幂等键不能用于不同的请求' });
    expect(await rowsOf('player')).toBe(before + 1);
  });

  it('finds the user again whose first answer was lost, where the name would be taken', async () => {
    const user = { nickName: '找回', username: `lost-${randomUUID()}` };
    const key = randomUUID();
    const first = await site.call(createUser, user, under(key));
    expect((await site.call(createUser, user, under(key))).envelope).toEqual(first.envelope);
    expect((await site.call(createUser, user)).envelope.msg).toBe('用户名已存在');
  });

  it('freezes money once, and repeats a refusal that would succeed by now', async () => {
    const { userId } = await buildUser(server.db, { balance: '50' });
    const order = { userId, amount: '20', bankOrderNo: randomUUID(), receiveAccount: { accountNo: '1' } };
    const key = randomUUID();
    const [one, two] = [
      await site.call(placeWithdrawal, order, under(key)),
      await site.call(placeWithdrawal, order, under(key)),
    ];
    expect(two.envelope).toEqual(one.envelope);
    expect((await balanceOf(server.db, userId)).freezeAmount).toBe('20.00');

    const dear = { ...order, amount: '31', bankOrderNo: randomUUID() };
    const refusedKey = randomUUID();
    expect((await site.call(placeWithdrawal, dear, under(refusedKey))).envelope.msg).toBe('可用余额不足');
    await site.call(postEntries, {
      entries: [{ userId, changeType: 'WIN', amount: '100', bizOrderNo: randomUUID() }],
    });
    expect((await site.call(placeWithdrawal, dear, under(refusedKey))).envelope.msg).toBe('可用余额不足');
  });

  it('is not that of an operator who sent the same', async () => {
    const admin = await server.admin();
    const { addUser } = await import('#contract/users.ts');
    const key = randomUUID();
    const mine = await admin.call(addUser, { nickName: '控制台' }, under(key));
    const theirs = await site.call(createUser, { nickName: '网站' }, under(key));
    expect(theirs.envelope.success).toBe(true);
    expect(theirs.envelope.data).not.toBe(mine.envelope.data);
  });
});

describe('a number that was used before', () => {
  it('of a deposit answers the first order to the same content and is refused to any other', async () => {
    const { userId } = await buildUser(server.db);
    const other = await buildUser(server.db);
    const order = {
      userId,
      amount: '9',
      type: 'USDT_TRANSFER',
      bankOrderNo: randomUUID(),
      fromName: '张三',
      usdtAmount: '1.25',
    } as const;
    const { data: id } = (await site.call(placeDeposit, order)).envelope;
    expect(
      (await site.call(placeDeposit, { ...order, amount: '9.00', usdtAmount: '1.2500' })).envelope.data,
    ).toBe(id);
    const { usdtAmount: _, ...without } = order;
    const changed = [
      { ...order, userId: other.userId },
      { ...order, amount: '9.01' },
      { ...order, type: 'BANK_TRANSFER' as const },
      { ...order, fromName: '李四' },
      { ...order, fromAccountNo: '6222' },
      { ...order, usdtAmount: '1.26' },
      without,
    ];
    const before = await rowsOf('deposit');
    for (const content of changed)
      expect((await site.call(placeDeposit, content)).envelope, JSON.stringify(content)).toMatchObject(
        used('bankOrderNo'),
      );
    expect(await rowsOf('deposit')).toBe(before);
  });

  it('of a withdrawal likewise, and nothing more is frozen', async () => {
    const { userId } = await buildUser(server.db, { balance: '100' });
    const other = await buildUser(server.db, { balance: '100' });
    const receiveAccount = { accountNo: '1', realName: '张三' };
    const order = { userId, amount: '20', bankOrderNo: randomUUID(), receiveAccount } as const;
    const { data: id } = (await site.call(placeWithdrawal, order)).envelope;
    expect((await site.call(placeWithdrawal, { ...order, amount: '20.0' })).envelope.data).toBe(id);
    const changed = [
      { ...order, userId: other.userId },
      { ...order, amount: '21' },
      { ...order, type: 'BANK_TRANSFER' as const },
      { ...order, usdtAmount: '3' },
      { ...order, receiveAccount: { ...receiveAccount, accountNo: '2' } },
      { ...order, receiveAccount: { accountNo: '1' } },
      { ...order, receiveAccount: { ...receiveAccount, alias: '别名' } },
    ];
    for (const content of changed)
      expect((await site.call(placeWithdrawal, content)).envelope, JSON.stringify(content)).toMatchObject(
        used('bankOrderNo'),
      );
    expect((await balanceOf(server.db, userId)).freezeAmount).toBe('20.00');
    expect((await balanceOf(server.db, other.userId)).freezeAmount).toBe('0.00');
  });

  it('of two different orders at the same moment belongs to one of them', { retry: 0 }, async () => {
    const players = await Promise.all(
      Array.from({ length: 8 }, () => buildUser(server.db, { balance: '9' })),
    );
    const bankOrderNo = randomUUID();
    const answers = await Promise.all(
      players.map(({ userId }) =>
        site.call(placeWithdrawal, { userId, amount: '5', bankOrderNo, receiveAccount: { accountNo: '1' } }),
      ),
    );
    expect(answers.map(({ envelope }) => envelope.msg).sort()).toEqual(
      ['操作成功', ...Array(7).fill('订单号已被使用')].sort(),
    );
    const frozen = await Promise.all(players.map(({ userId }) => balanceOf(server.db, userId)));
    expect(frozen.filter(({ freezeAmount }) => freezeAmount === '5.00')).toHaveLength(1);
  });

  it('sent again while the first waits is that order, though it would be refused by now', {
    retry: 0,
  }, async () => {
    const { db } = server;
    const admin = await server.admin();
    const { userId } = await buildUser(db, { balance: '50' });
    const order = () => ({ userId, amount: '20', bankOrderNo: randomUUID() });
    const [paidIn, later, takenOut] = [order(), order(), { ...order(), receiveAccount: { accountNo: '1' } }];
    const { data: deposited } = (await site.call(placeDeposit, { ...later, type: 'THIRD_PARTY' })).envelope;
    const sendTwice = async (send: () => Promise<unknown>, meanwhile: () => Promise<unknown>) => {
      const all = await db.transaction().execute(async (tx) => {
        await sql`select deposits_one_by_one(${userId})`.execute(tx);
        await sql`select from account where "userId" = ${userId} for update`.execute(tx);
        const calls: Promise<unknown>[] = [];
        const begin = async (call: () => Promise<unknown>) => {
          const before = await waitForLocks(db);
          const answer = call();
          calls.push(answer);
          const over = answer.then(() => true);
          while (!(await Promise.race([over, false])) && (await waitForLocks(db)) <= before);
        };
        await begin(send);
        await begin(meanwhile);
        await begin(send);
        return { calls };
      });
      const [one, , two] = await Promise.all(all.calls);
      return [one, two];
    };

    // A deposit that has to be turned over comes in between the two.
    await setParam(db, 'turnover.depositTimes', '1');
    const [out, outAgain] = await sendTwice(
      async () => (await site.call(placeWithdrawal, takenOut)).envelope,
      () => admin.call(reviewDeposit, { id: Number(deposited), action: 'PASS' }),
    );
    expect(out).toMatchObject({ success: true });
    expect(outAgain).toEqual(out);
    expect((await balanceOf(db, userId)).freezeAmount).toBe('20.00');

    // No deposit may be so large any more: both are told so, or neither.
    const [paid, paidAgain] = await sendTwice(
      async () => (await site.call(placeDeposit, { ...paidIn, type: 'THIRD_PARTY' })).envelope,
      () => setParam(db, 'deposit.maxAmount', '10'),
    );
    await setParam(db, 'deposit.maxAmount', '0');
    await setParam(db, 'turnover.depositTimes', '0');
    expect(paidAgain).toEqual(paid);
  });

  it('a withdrawal without one is refused at the field', async () => {
    const { userId } = await buildUser(server.db, { balance: '100' });
    const { envelope } = await rawRequest(server.origin, {
      method: 'POST',
      path: '/open/v1/withdrawals',
      headers: { authorization: `Bearer ${server.site().token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ userId, amount: '5', receiveAccount: { accountNo: '1' } }),
    });
    expect(envelope).toMatchObject({
      success: false,
      code: 400,
      data: { errors: { bankOrderNo: '三方单号不能为空' } },
    });
    expect((await balanceOf(server.db, userId)).freezeAmount).toBe('0.00');
  });

  it('of a movement answers the first to the same content; any other is refused with all that was sent', async () => {
    const { userId } = await buildUser(server.db, { balance: '100' });
    const other = await buildUser(server.db, { balance: '100' });
    const first = {
      userId,
      changeType: 'BET',
      amount: '5',
      bizOrderNo: randomUUID(),
      desc: '第 1 期',
    } as const;
    const { data } = (await site.call(postEntries, { entries: [first] })).envelope;
    expect((await site.call(postEntries, { entries: [{ ...first, amount: '5.00' }] })).envelope.data).toEqual(
      data,
    );
    const parallel = { ...first, changeType: 'REBATE', bizOrderNo: randomUUID() } as const;
    const sent = await Promise.all(
      Array.from({ length: 12 }, () => site.call(postEntries, { entries: [parallel] })),
    );
    const [answer] = sent;
    expect(answer?.envelope.success).toBe(true);
    expect(sent.map(({ envelope }) => envelope)).toEqual(sent.map(() => answer?.envelope));
    const fresh = { ...first, changeType: 'WIN' } as const;
    const { desc: _, ...bare } = first;
    for (const content of [
      { ...first, userId: other.userId },
      { ...first, amount: '6' },
      { ...first, desc: '第 2 期' },
      bare,
    ]) {
      const { envelope } = await site.call(postEntries, { entries: [fresh, content] });
      expect(envelope, JSON.stringify(content)).toMatchObject(used('entries'));
    }
    const twice = [fresh, { ...fresh, amount: '7' }];
    expect((await site.call(postEntries, { entries: twice })).envelope).toMatchObject(used('entries'));
    expect((await balanceOf(server.db, userId)).totalAmount).toBe('100.00');
    expect((await balanceOf(server.db, other.userId)).totalAmount).toBe('100.00');
    await expectProven(server.db);
  });
});
