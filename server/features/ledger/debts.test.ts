import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import { addBalance, pageAccounts, subtractBalance, writeOffDebt } from '#contract/accounts.ts';
import { releaseApproval } from '#contract/approvals.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import { pageDeposits, reviewDeposit } from '#contract/deposits.ts';
import { getUserBalance, placeDeposit, placeWithdrawal, postEntries } from '#contract/platform.ts';
import { markWithdrawal, pageWithdrawals } from '#contract/withdrawals.ts';
import { fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { type BuiltUser, balanceOf, buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { type Entry, postAll } from './ledger-store.ts';

let server: TestServer;
let admin: TestClient;
let site: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  site = server.site();
});
afterAll(() => server.close());

const postedNow = (entries: readonly Entry[]) =>
  server.db.transaction().execute((tx) => postAll(tx, entries));
let slip = 1;
const reversal = (userId: number, amount: string, bizOrderNo = `B${slip++}/1`): Entry => ({
  ...{ userId, amount, bizOrderNo, changeType: 'WIN_REVERSAL', source: 'OWING', desc: null },
});
const withdraw = (userId: number, amount: string) =>
  site.call(placeWithdrawal, {
    userId,
    amount,
    bankOrderNo: randomUUID(),
    receiveAccount: { accountNo: '1' },
  });

/** A player with so much set aside for a withdrawal, and so much owed. */
async function buildDebtor({ debt, frozen = '0' }: { debt: string; frozen?: string }) {
  const player = await buildUser(server.db, { balance: frozen });
  const { userId } = player;
  const orderId = frozen === '0' ? 0 : given((await withdraw(userId, frozen)).envelope.data);
  await postedNow([reversal(userId, debt)]);
  return { ...player, orderId };
}

const standing = async ({ userId }: BuiltUser) => {
  const { availableAmount, freezeAmount, debt } =
    (await site.call(getUserBalance, { id: userId })).envelope.data ?? {};
  return [availableAmount, freezeAmount, debt];
};
const newest = async ({ userId }: BuiltUser, count: number) => {
  const { data = [] } =
    (await admin.call(pageAccountHistory, { userId, pageSize: count })).envelope.data ?? {};
  return data.map((row) => [row.changeType, row.originAmount, row.amount, row.newAmount]);
};

describe('a debt', () => {
  it('is what a reversal could not take: the ledger has the part that was there, the account the rest', async () => {
    const player = await buildUser(server.db, { balance: '30' });
    const [posted] = await postedNow([reversal(player.userId, '100.5')]);
    expect(posted).toMatchObject({ originAmount: '30.00', newAmount: '0.00', owed: '70.50', problem: null });
    expect(await standing(player)).toEqual(['0.00', '0.00', '70.50']);
    const { data = [] } = (await admin.call(pageAccounts, { userId: player.userId })).envelope.data ?? {};
    expect(data).toMatchObject([{ availableAmount: '0.00', debt: '70.50' }]);
    expect(await newest(player, 1)).toEqual([['WIN_REVERSAL', '30.00', '30.00', '0.00']]);
    const [more] = await postedNow([{ ...reversal(player.userId, '9'), changeType: 'REFUND_REVERSAL' }]);
    expect(more).toMatchObject({ id: null, owed: '9.00', totalAmount: '0.00' });
    expect(await standing(player)).toEqual(['0.00', '0.00', '79.50']);
    await expectProven(server.db);
  });

  it('leaves what is frozen alone', async () => {
    const player = await buildDebtor({ debt: '12', frozen: '50' });
    expect(await standing(player)).toEqual(['0.00', '50.00', '12.00']);
  });

  it('that an entry pays off changes what the account has then, not what is told of the entry itself', async () => {
    const player = await buildDebtor({ debt: '100', frozen: '50' });
    const { userId } = player;
    const bonus = { userId, changeType: 'RECHARGE_GIVE', bizOrderNo: null, desc: null } as const;
    const [part, rest, more] = await postedNow(['30', '90', '5'].map((amount) => ({ ...bonus, amount })));
    expect(part).toMatchObject({ originAmount: '50.00', newAmount: '80.00', totalAmount: '50.00' });
    expect(rest).toMatchObject({ originAmount: '50.00', newAmount: '140.00', totalAmount: '70.00' });
    expect(more).toMatchObject({ originAmount: '70.00', newAmount: '75.00', totalAmount: '75.00' });
    const { rows } = await sql<{ changeType: string; amount: string }>`
      select "changeType", amount from account_history
      where id = any (${[part?.id, rest?.id, more?.id]}::bigint[]) order by id`.execute(server.db);
    expect(rows).toEqual(
      ['30.00', '90.00', '5.00'].map((amount) => ({ changeType: 'RECHARGE_GIVE', amount })),
    );
    expect(await standing(player)).toEqual(['25.00', '50.00', '0.00']);
    await postedNow([reversal(userId, '35')]);
    const [unfrozen] = await postedNow([{ ...bonus, changeType: 'UNFREEZE', amount: '50' }]);
    expect(unfrozen).toMatchObject({ originAmount: '50.00', totalAmount: '40.00' });
    expect(await standing(player)).toEqual(['40.00', '0.00', '0.00']);
    await expectProven(server.db);
  });

  it('is paid off first by whatever comes in, whoever posts it', async () => {
    const player = await buildDebtor({ debt: '100' });
    const { userId, accountId: id } = player;
    await admin.call(addBalance, { id, balance: '10' });
    expect(await standing(player)).toEqual(['0.00', '0.00', '90.00']);
    expect(await newest(player, 2)).toEqual([
      ['DEBT_REPAYMENT', '10.00', '10.00', '0.00'],
      ['MANUAL_ADDITION', '0.00', '10.00', '10.00'],
    ]);
    const order = { userId, amount: '20', type: 'BANK_TRANSFER', bankOrderNo: randomUUID() } as const;
    const deposit = given((await site.call(placeDeposit, order)).envelope.data);
    const { data: orders } = given((await admin.call(pageDeposits, { id: deposit })).envelope.data);
    expect(orders).toMatchObject([{ balanceBefore: '0.00', balanceAfter: '0.00' }]);
    await admin.call(reviewDeposit, { id: deposit, action: 'PASS' });
    expect(await standing(player)).toEqual(['0.00', '0.00', '70.00']);
    const entries = [
      { userId, changeType: 'WIN', amount: '30.5', bizOrderNo: randomUUID() },
      { userId, changeType: 'REBATE', amount: '50', bizOrderNo: randomUUID() },
    ] as const;
    const { data } = (await site.call(postEntries, { entries: [...entries] })).envelope;
    expect(data?.map(({ newAmount }) => newAmount)).toEqual(['30.50', '50.00']);
    expect(await standing(player)).toEqual(['10.50', '0.00', '0.00']);
    expect(await newest(player, 2)).toEqual([
      ['DEBT_REPAYMENT', '50.00', '39.50', '10.50'],
      ['REBATE', '0.00', '50.00', '50.00'],
    ]);
    await expectProven(server.db);
  });

  it('is paid off first by what a rejected withdrawal gives back', async () => {
    const player = await buildDebtor({ debt: '12', frozen: '50' });
    const { data: orders } = given((await admin.call(pageWithdrawals, { id: player.orderId })).envelope.data);
    expect(orders).toMatchObject([{ balanceBefore: '50.00', balanceRejected: '38.00' }]);
    const rejected = await admin.call(markWithdrawal, {
      id: player.orderId,
      action: 'REJECT',
      remark: '有欠款',
    });
    expect(rejected.envelope.success).toBe(true);
    expect(await standing(player)).toEqual(['38.00', '0.00', '0.00']);
    expect(await newest(player, 1)).toEqual([['DEBT_REPAYMENT', '50.00', '12.00', '38.00']]);
    await expectProven(server.db);
  });

  it('lets no withdrawal be placed, and none be marked PAID, until it is gone', async () => {
    const player = await buildDebtor({ debt: '12', frozen: '50' });
    const refused = { success: false, msg: '该用户有未还清的欠款，不能提现' };
    expect((await withdraw(player.userId, '1')).envelope).toMatchObject(refused);
    const paid = () => admin.call(markWithdrawal, { id: player.orderId, action: 'PAID' });
    expect((await paid()).envelope).toMatchObject(refused);
    expect(await standing(player)).toEqual(['0.00', '50.00', '12.00']);
    await admin.call(addBalance, { id: player.accountId, balance: '13' });
    expect((await withdraw(player.userId, '1')).envelope.success).toBe(true);
    expect((await paid()).envelope.success).toBe(true);
    expect(await standing(player)).toEqual(['0.00', '1.00', '0.00']);
    await expectProven(server.db);
  });

  it('leaves nothing to bet with or to debit', async () => {
    const { userId, accountId: id } = await buildDebtor({ debt: '5' });
    const bet = { userId, changeType: 'BET', amount: '0.0001', bizOrderNo: randomUUID() } as const;
    expect((await site.call(postEntries, { entries: [bet] })).envelope.msg).toBe('可用余额不足');
    expect((await admin.call(subtractBalance, { id, balance: '1' })).envelope.msg).toBe('可用余额不足');
  });

  it('has an order number of its own like a row of the ledger: a second time is refused, with or without money there', async () => {
    for (const balances of [
      ['0', '0'],
      ['0', '50'],
      ['50', '0'],
      ['3', '50'],
    ]) {
      const number = `B${slip++}`;
      const players = await Promise.all(balances.map((balance) => buildUser(server.db, { balance })));
      const [one = 0, two = 0] = players.map(({ userId }) => userId);
      await postedNow([reversal(one, '8', number)]);
      const before = await balanceOf(server.db, two);
      await expect(postedNow([reversal(two, '8', number)]), balances.join()).rejects.toThrow(
        '订单号已被使用',
      );
      await expect(postedNow([reversal(one, '8', number)]), balances.join()).rejects.toThrow(
        '订单号已被使用',
      );
      await expect(
        postedNow([reversal(two, '1', `${number}x`), reversal(two, '60', `${number}x`)]),
      ).rejects.toThrow('订单号已被使用');
      expect(await balanceOf(server.db, two)).toEqual(before);
      // The same player neither: all was there the first time, and nothing is any more.
      const { availableAmount } = before;
      if (Number(availableAmount) === 0) continue;
      await postedNow([reversal(two, availableAmount, `${number}y`)]);
      await expect(postedNow([reversal(two, '1', `${number}y`)])).rejects.toThrow('订单号已被使用');
    }
    await expectProven(server.db);
  });
});

describe('a debt that is written off', () => {
  const reason = '玩家已注销，无法追回';

  it('is gone, or a part of it, without money moving; the proof and the change record know of it', async () => {
    const player = await buildDebtor({ debt: '100', frozen: '5' });
    const { accountId: id } = player;
    const writeOff = (amount: string) => admin.call(writeOffDebt, { id, amount, reason });
    const before = await newest(player, 10);
    expect((await writeOff('30.5')).envelope).toMatchObject({ success: true, data: true });
    expect(await standing(player)).toEqual(['0.00', '5.00', '69.50']);
    const tooMuch = (await writeOff('69.5001')).envelope;
    expect(tooMuch).toMatchObject({
      msg: '核销金额不能超过该用户的欠款',
      data: { errors: { amount: '核销金额不能超过该用户的欠款' } },
    });
    expect(await standing(player)).toEqual(['0.00', '5.00', '69.50']);
    expect((await withdraw(player.userId, '1')).envelope.success).toBe(false);
    expect((await writeOff('69.5')).envelope.success).toBe(true);
    await admin.call(addBalance, { id, balance: '3' });
    expect(await standing(player)).toEqual(['3.00', '5.00', '0.00']);
    expect((await newest(player, 10)).slice(1)).toEqual(before);
    expect((await withdraw(player.userId, '1')).envelope.success).toBe(true);
    const records = (await admin.call(pageChangeRecords, { summary: '核销欠款' })).envelope.data?.data;
    expect(records?.map(({ outcome, before: was, after }) => [outcome, was, after])).toEqual([
      ['SUCCESS', { debt: '69.50' }, { debt: '0.00' }],
      ['REFUSED', null, null],
      ['SUCCESS', { debt: '100.00' }, { debt: '69.50' }],
    ]);
    await expectProven(server.db);
  });

  it('takes two persons while approvals are in force, and is refused when the debt changed meanwhile', async () => {
    const second = await fullOperator(server);
    const player = await buildDebtor({ debt: '100' });
    const { accountId: id } = player;
    await setParam(server.db, 'approval.enabled', 'true');
    const asked = async (amount: string) => waiting(await admin.call(writeOffDebt, { id, amount, reason }));
    const release = (client: TestClient, approvalId: number) =>
      client.call(releaseApproval, { id: approvalId, reason: '已核对欠款来源' });
    const [first, other] = [await asked('60'), await asked('40')];
    expect(await standing(player)).toEqual(['0.00', '0.00', '100.00']);
    expect((await release(admin, first)).envelope.success).toBe(false);
    expect((await release(second.client, first)).envelope.success).toBe(true);
    expect(await standing(player)).toEqual(['0.00', '0.00', '40.00']);
    expect((await release(second.client, other)).envelope.success).toBe(false);
    expect(await standing(player)).toEqual(['0.00', '0.00', '40.00']);
    await setParam(server.db, 'approval.enabled', 'false');
    await expectProven(server.db);
  });
});

describe('the proof', () => {
  it('tells every way of tampering with a debt, and where', async () => {
    const { proveLedger } = await import('./ledger-proof.ts');
    const player = await buildDebtor({ debt: '100', frozen: '10' });
    await admin.call(addBalance, { id: player.accountId, balance: '10' });
    await admin.call(addBalance, { id: player.accountId, balance: '20' });
    const { userId } = player;
    await sql`grant update, delete on account_history, account_debt to current_user`.execute(
      server.database.owner,
    );
    const ofUser = sql`where "userId" = ${userId}`;
    const forged = (kind: 'OWED' | 'REPAID', type: string, accountSeq: ReturnType<typeof sql>) => sql`
      with row as (
        insert into account_debt ("userId", "debtSeq", kind, "originDebt", amount, "newDebt", "accountSeq", "changeType", "bizOrderNo",
          "createTime", hash)
        select ${userId}, 4, ${kind}, 70.00, 5.00, made.after, made.seq, ${type}, made.number, now(), debt_hash(d.hash, ${userId}, 4,
          ${kind}, 70.00, 5.00, made.after, made.seq, ${type}, made.number, now())
        from account_debt d, lateral (select ${kind === 'OWED' ? '75.00' : '65.00'}::numeric as after, ${accountSeq}::bigint as seq,
          ${kind === 'OWED' ? 'B-forged' : null}::text as number) as made
        where d."userId" = ${userId} and d."debtSeq" = 3
        returning *)
      update account a set debt = row."newDebt", "debtSeq" = 4, "debtHash" = row.hash from row
      where a."userId" = row."userId" and row.kind = 'REPAID'`;
    const tamperings: [ReturnType<typeof sql>, string][] = [
      [
        sql`update account_debt set "createTime" = "createTime" + interval '1 second' ${ofUser} and "debtSeq" = 1`,
        '第 1 条欠款的哈希链断裂',
      ],
      [
        sql`update account_debt set amount = 90, "newDebt" = 90 ${ofUser} and "debtSeq" = 1`,
        '第 1 条欠款的哈希链断裂',
      ],
      [
        sql`update account_debt set "originDebt" = 80, "newDebt" = 70 ${ofUser} and "debtSeq" = 2`,
        '变动前欠款 80',
      ],
      [sql`delete from account_debt ${ofUser} and "debtSeq" = 2`, '第 3 条欠款的序号不连续'],
      [
        sql`delete from account_debt ${ofUser} and "debtSeq" = 3`,
        '欠款 70.00 不等于最后一条欠款记录的 90.00',
      ],
      [sql`update account set debt = 0 ${ofUser}`, '欠款 0 不等于最后一条欠款记录的 70.00'],
      [sql`update account set "debtHash" = decode('00', 'hex') ${ofUser}`, '欠款链尾'],
      [
        sql`update account_debt set "accountSeq" = 77 ${ofUser} and "debtSeq" = 3`,
        '欠款记录所属的账变不存在',
      ],
      // Rows made up by who knows how the chain is made; the last of them with an account that agrees.
      [forged('OWED', 'WIN_REVERSAL', sql`null`), '不等于最后一条欠款记录的 75.00'],
      [forged('REPAID', 'DEBT_REPAYMENT', sql`77`), '欠款记录所属的账变不存在'],
      [forged('REPAID', 'DEBT_REPAYMENT', sql`1`), '与所属的欠款记录不符'],
      [forged('REPAID', 'DEBT_REPAYMENT', sql`d."accountSeq"`), '两条欠款记录指向同一条账变'],
    ];
    for (const [tampering, problem] of tamperings) {
      await sql`alter table account_debt disable trigger user`.execute(server.database.owner);
      const trial = server.database.owner.transaction().execute(async (tx) => {
        await tampering.execute(tx);
        // The proof's own transactions are this one, which is undone.
        const within: unknown = new Proxy(tx, {
          get: (target, name) => {
            const same = {
              setIsolationLevel: () => same,
              setAccessMode: () => same,
              execute: (work: (db: unknown) => unknown) => work(target),
            };
            return name === 'transaction' ? () => same : Reflect.get(target, name);
          },
        });
        const { breaks } = await proveLedger(within as TestServer['db']);
        expect(
          breaks
            .filter((found) => found.userId === userId)
            .map((found) => found.problem)
            .join('\n'),
        ).toContain(problem);
        throw new RangeError('undone');
      });
      await expect(trial).rejects.toThrow(RangeError);
    }
    await sql`alter table account_debt enable trigger user`.execute(server.database.owner);
    await expectProven(server.db);
  });

  it('cannot be outwitted by the application: debts take no UPDATE, DELETE or TRUNCATE', async () => {
    for (const attempt of [
      sql`update account_debt set amount = 1`,
      sql`delete from account_debt`,
      sql`truncate account_debt`,
    ])
      await expect(attempt.execute(server.db)).rejects.toMatchObject({ code: '42501' });
  });
});
