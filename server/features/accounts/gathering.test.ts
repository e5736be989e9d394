import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBalance, subtractBalance } from '#contract/accounts.ts';
import { listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { type TestClient, under } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const countOf = async (query: ReturnType<typeof sql<{ n: number }>>) =>
  (await query.execute(server.db)).rows[0]?.n;

/** How many transactions wrote these ledger rows. */
const transactionsOf = (userIds: readonly number[]) =>
  countOf(
    sql<{
      n: number;
    }>`select count(distinct xmin::text)::int as n from account_history where "userId" = any(${[...userIds]}::bigint[])`,
  );

describe('moves by hand that wait at the same moment', { retry: 0 }, () => {
  it('share transactions, and each has its ledger row, key and record', async () => {
    const players = await Promise.all(Array.from({ length: 40 }, () => buildUser(server.db)));
    const keys = players.map(() => randomUUID());
    const answers = await Promise.all(
      players.map(({ accountId: id }, place) =>
        admin.call(addBalance, { id, balance: `${place + 1}` }, under(keys[place] ?? '')),
      ),
    );
    expect(new Set(answers.map(({ envelope }) => JSON.stringify(envelope)))).toEqual(
      new Set(['{"success":true,"msg":"操作成功","data":true,"code":200}']),
    );
    const ids = players.map(({ userId }) => userId);
    expect(await transactionsOf(ids)).toBeLessThan(players.length);
    const kept = sql<{
      n: number;
    }>`select count(*)::int as n from idempotency_key where key = any(${keys}::text[]) and status = 200 and answer is null`;
    expect(await countOf(kept)).toBe(40);
    // What is answered goes without saying; a repeat hears it all the same.
    const [first] = players;
    const repeat = { id: given(first?.accountId), balance: '1' };
    expect((await admin.call(addBalance, repeat, under(keys[0] ?? ''))).envelope).toEqual(
      answers[0]?.envelope,
    );
    const { rows } = await sql<{ target: string; input: unknown; before: unknown; after: unknown }>`
      select "targetId" as target, input, before, after from change_record
      where "targetId" = any(${players.map(({ accountId }) => String(accountId))}::text[]) and call = 'addBalance' order by "targetId"::bigint`.execute(
      server.db,
    );
    expect(rows).toEqual(
      players
        .map(({ accountId: id }, place) => ({ id, balance: `${place + 1}` }))
        .sort((a, b) => a.id - b.id)
        .map((input) => ({
          ...{ target: String(input.id), input, before: { totalAmount: '0.00' } },
          after: { totalAmount: `${input.balance}.00` },
        })),
    );
    await expectProven(server.db);
  });

  it('fail each alone, leave nothing behind but the refusal, and repeat it under the key', async () => {
    const params = (await admin.call(listParamSettings, {})).envelope.data ?? [];
    const above = params.find(({ key }) => key === 'account.remarkAbove');
    if (!above) throw new Error('no such parameter');
    await admin.call(updateParamSetting, { ...above, value: '1000' });
    const players = await Promise.all(
      Array.from({ length: 12 }, () => buildUser(server.db, { balance: '10' })),
    );
    const idOf = (place: number) => given(players[place]?.accountId);
    const sends: [
      typeof addBalance | typeof subtractBalance,
      { id: number; balance: string; remark?: string },
      string,
    ][] = [
      [subtractBalance, { id: idOf(0), balance: '10.0001' }, '可用余额不足'],
      [addBalance, { id: 99_999_999, balance: '1' }, '记录不存在'],
      [addBalance, { id: idOf(1), balance: '999999999999', remark: '过多' }, '余额超出上限'],
      [addBalance, { id: idOf(2), balance: '1000.01' }, '金额超过 1,000.00 须填写备注'],
      ...players
        .slice(3)
        .map((player): (typeof sends)[number] => [
          addBalance,
          { id: player.accountId, balance: '5' },
          '操作成功',
        ]),
    ];
    const keys = sends.map(() => randomUUID());
    const send = () =>
      Promise.all(sends.map(([call, input], place) => admin.call(call, input, under(keys[place] ?? ''))));
    const first = await send();
    expect(first.map(({ envelope }) => envelope.msg)).toEqual(sends.map(([, , msg]) => msg));
    expect(first[3]?.envelope.data).toEqual({ errors: { remark: '金额超过 1,000.00 须填写备注' } });
    expect((await send()).map(({ envelope }) => envelope)).toEqual(first.map(({ envelope }) => envelope));
    const totals = await Promise.all(
      players.map(async ({ userId }) => (await balanceOf(server.db, userId)).totalAmount),
    );
    expect(totals).toEqual(['10.00', '10.00', '10.00', ...Array(9).fill('15.00')]);
    await admin.call(updateParamSetting, { ...above, value: '0' });
    await expectProven(server.db);
  });

  it('do not wait for an account that somebody else holds: only its own move does', async () => {
    const [held, ...free] = await Promise.all(Array.from({ length: 9 }, () => buildUser(server.db)));
    let slow: Promise<{ envelope: { success: boolean } }> | undefined;
    let over = false;
    await server.db.transaction().execute(async (tx) => {
      await sql`select from account where "userId" = ${held?.userId} for update`.execute(tx);
      slow = admin
        .call(addBalance, { id: given(held?.accountId), balance: '1' }, under(randomUUID()))
        .finally(() => {
          over = true;
        });
      const others = await Promise.all(
        free.map(({ accountId: id }) => admin.call(addBalance, { id, balance: '1' }, under(randomUUID()))),
      );
      expect(others.every(({ envelope }) => envelope.success)).toBe(true);
      expect(over).toBe(false);
    });
    expect((await slow)?.envelope.success).toBe(true);
    expect((await balanceOf(server.db, given(held?.userId))).totalAmount).toBe('1.00');
  });

  it('under one key at once are one move, and with other content are refused', async () => {
    const { accountId: id, userId } = await buildUser(server.db);
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, turn) =>
        admin.call(addBalance, { id, balance: turn % 10 === 9 ? '2' : '1' }, under(key)),
      ),
    );
    const { totalAmount } = await balanceOf(server.db, userId);
    expect(['1.00', '2.00']).toContain(totalAmount);
    const words = answers.map(({ envelope }) => envelope.msg);
    expect(words.filter((msg) => msg === '操作成功')).toHaveLength(totalAmount === '1.00' ? 27 : 3);
    expect(new Set(words)).toEqual(new Set(['操作成功', '同一幂等键不能用于不同的请求']));
  });

  it('under a key of the day before are one move, like under a new one', async () => {
    const players = await Promise.all(Array.from({ length: 20 }, () => buildUser(server.db)));
    const key = randomUUID();
    await sql`
      insert into idempotency_key ("operatorId", key, "requestHash", status, "createTime")
      select id, ${key}, '\\x00', 200, now() - interval '25 hours' from operator where "userName" = 'admin'`.execute(
      server.db,
    );
    const { accountId: id, userId } = given(players.pop());
    const repeats = Array.from({ length: 20 }, () =>
      admin.call(addBalance, { id, balance: '1' }, under(key)),
    );
    const beside = players.map((player) =>
      admin.call(addBalance, { id: player.accountId, balance: '1' }, under(randomUUID())),
    );
    const answers = await Promise.all([...repeats, ...beside]);
    expect(new Set(answers.map(({ envelope }) => envelope.msg))).toEqual(new Set(['操作成功']));
    expect((await balanceOf(server.db, userId)).totalAmount).toBe('1.00');
    await expectProven(server.db);
  });

  it('go one by one where a batch and somebody else wait for keys of each other', async () => {
    const players = await Promise.all(Array.from({ length: 30 }, () => buildUser(server.db)));
    const keys = players.map(() => randomUUID());
    const hold = (key: string | undefined, db = server.db) =>
      sql`insert into idempotency_key ("operatorId", key, "requestHash", status)
        select id, ${key}, '\\x00', 200 from operator where "userName" = 'admin'`.execute(db);
    const undone = new Error('undone');
    let answers: Promise<{ envelope: { msg: string | null } }[]> | undefined;
    const crossing = server.db.transaction().execute(async (tx) => {
      // Last of the batch that the other calls go in: so it has taken their keys when it comes to wait for this one.
      await hold(keys.at(-1), tx);
      answers = Promise.all(
        players.map(({ accountId: id }, place) =>
          admin.call(addBalance, { id, balance: '1' }, under(keys[place] ?? '')),
        ),
      );
      const isWaiting = sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%move_by_hand%'`;
      while ((await isWaiting.execute(server.db)).rows.length === 0);
      await hold(keys.at(-2), tx).catch(() => undefined);
      throw undone;
    });
    await expect(crossing).rejects.toBe(undone);
    expect(new Set((await answers)?.map(({ envelope }) => envelope.msg))).toEqual(new Set(['操作成功']));
    const totals = await Promise.all(players.map(({ userId }) => balanceOf(server.db, userId)));
    expect(new Set(totals.map(({ totalAmount }) => totalAmount))).toEqual(new Set(['1.00']));
    await expectProven(server.db);
  });

  it('under one key at once are refused alike, and nothing is left behind', async () => {
    const { accountId: id, userId } = await buildUser(server.db, { balance: '1' });
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => admin.call(subtractBalance, { id, balance: '2' }, under(key))),
    );
    expect(new Set(answers.map(({ status, envelope }) => `${status} ${envelope.msg}`))).toEqual(
      new Set(['200 可用余额不足']),
    );
    expect((await balanceOf(server.db, userId)).totalAmount).toBe('1.00');
  });

  it('of one account all count, without keys', async () => {
    const { accountId: id, userId } = await buildUser(server.db, { balance: '100' });
    await Promise.all(
      Array.from({ length: 60 }, (_, turn) =>
        admin.call(turn % 2 ? addBalance : subtractBalance, { id, balance: '0.5' }),
      ),
    );
    expect((await balanceOf(server.db, userId)).totalAmount).toBe('100.00');
    await expectProven(server.db);
  });
});
