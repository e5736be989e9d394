import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBalance, subtractBalance } from '#contract/accounts.ts';
import { rejectApproval, releaseApproval, withdrawApproval } from '#contract/approvals.ts';
import { nobody } from '#server/access/signed-in.ts';
import { connect } from '#server/db/database.ts';
import { approvalSeenBy, fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { inParallel } from '#server/testing/parallel.ts';
import { zonePutForwardAt } from '#server/testing/put-forward.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { moneyAbove } from './money-rules.ts';

let server: TestServer;
let other: TestServer;
let admin: TestClient;
let second: Awaited<ReturnType<typeof fullOperator>>;
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({}, server.database);
  admin = await server.admin();
  second = await fullOperator(server);
  await setParam(server.db, 'approval.enabled', 'true');
  await setParam(server.db, 'approval.moneyAbove', '1000');
});
afterAll(async () => {
  await other.close();
  await server.close();
});

const why = '同一人一天内对该账户的人工加扣款累计超过 1,000.00';
const totalOf = async (userId: number) => (await balanceOf(server.db, userId)).totalAmount;

it('a debit above the parameter waits, and is executed when somebody else releases it', async () => {
  const { accountId: id, userId } = await buildUser(server.db, { balance: '5000' });
  const asked = waiting(await admin.call(subtractBalance, { id, balance: '1000.01' }));
  expect(await totalOf(userId)).toBe('5000.00');
  expect(await approvalSeenBy(second.client, asked)).toMatchObject({
    ...{ summary: '人工扣款', why: '人工加扣款超过 1,000.00' },
    ...{ before: { totalAmount: '5000.00' }, after: { totalAmount: '3999.99' } },
  });
  expect((await second.client.call(releaseApproval, { id: asked })).envelope.data).toBe(true);
  expect(await totalOf(userId)).toBe('3999.99');
});

it('a big amount split into small ones waits once they add up: by maker and account, for a day', async () => {
  const { accountId: id, userId } = await buildUser(server.db);
  const add = (balance: string, by = admin) => by.call(addBalance, { id, balance });
  // A remark is demanded above the same amount, not at it.
  await setParam(server.db, 'account.remarkAbove', '600');
  for (const part of ['400', '600']) expect((await add(part)).envelope.data).toBe(true);
  await setParam(server.db, 'account.remarkAbove', '0');
  const asked = waiting(await add('0.01'));
  expect((await approvalSeenBy(admin, asked)).why).toBe(why);
  // What somebody else did not release leaves the sum as it is.
  const big = waiting(await add('5000'));
  const rejected = await second.client.call(rejectApproval, { id: big, reason: '用途不明' });
  expect(rejected.envelope.success).toBe(true);
  expect((await approvalSeenBy(admin, waiting(await add('0.02')))).why).toBe(why);
  // Taking back counts as well, somebody else's moves and other accounts do not.
  expect(
    (await approvalSeenBy(admin, waiting(await admin.call(subtractBalance, { id, balance: '1' })))).why,
  ).toBe(why);
  expect((await add('999', second.client)).envelope.data).toBe(true);
  const { accountId } = await buildUser(server.db);
  expect((await admin.call(addBalance, { id: accountId, balance: '1000' })).envelope.data).toBe(true);
  const debited = await buildUser(server.db, { balance: '5000' });
  const take = (balance: string) => admin.call(subtractBalance, { id: debited.accountId, balance });
  expect((await take('1000')).envelope.data).toBe(true);
  expect((await approvalSeenBy(admin, waiting(await take('0.01')))).why).toBe(why);
  expect(await totalOf(userId)).toBe('1999.00');
});

it('what somebody else released is not counted again, whoever asked for it', async () => {
  const { accountId: id, userId } = await buildUser(server.db);
  const add = (balance: string) => admin.call(addBalance, { id, balance });
  const big = waiting(await add('9000'));
  expect((await second.client.call(releaseApproval, { id: big })).envelope.data).toBe(true);
  expect((await add('700')).envelope.data).toBe(true);
  const small = waiting(await add('301'));
  expect((await approvalSeenBy(admin, small)).why).toBe(why);
  expect((await second.client.call(releaseApproval, { id: small })).envelope.data).toBe(true);
  expect((await add('300')).envelope.data).toBe(true);
  expect((await approvalSeenBy(admin, waiting(await add('0.01')))).why).toBe(why);
  expect(await totalOf(userId)).toBe('10301.00');
  // What was asked for and came to nothing makes no room.
  for (const end of [rejectApproval, withdrawApproval]) {
    const asked = waiting(await add('5000'));
    const by = end === rejectApproval ? second.client : admin;
    expect((await by.call(end, { id: asked, reason: '不办' })).envelope.success).toBe(true);
  }
  expect((await approvalSeenBy(admin, waiting(await add('0.01')))).why).toBe(why);
});

it('a day later nothing is left of it', async () => {
  const { accountId: id } = await buildUser(server.db);
  const { userName } = await server.db
    .selectFrom('operator')
    .select('userName')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  const made = (age: string) =>
    sql`
    insert into change_record ("createTime", "operatorId", "userName", call, summary, "targetId", input, address, outcome)
    values (now() - ${age}::interval, 1, ${userName}, 'addBalance', '人工加款', ${String(id)}, '{"balance": "900"}', '127.0.0.1', 'SUCCESS')`.execute(
      server.db,
    );
  await made('24 hours 1 minute');
  expect((await admin.call(addBalance, { id, balance: '101' })).envelope.data).toBe(true);
  await made('23 hours 59 minutes');
  expect((await approvalSeenBy(admin, waiting(await admin.call(addBalance, { id, balance: '1' })))).why).toBe(
    why,
  );
});

it('a day has 24 hours, for what was moved as for what was released, where clocks were put forward in it', async () => {
  const { accountId: id } = await buildUser(server.db);
  const move = (balance: string, age: string) =>
    sql`
    insert into change_record ("createTime", "operatorId", "userName", call, summary, "targetId", input, address, outcome)
    values (now() - ${age}::interval, 1, 'a', 'addBalance', '人工加款', ${String(id)}, ${{ balance }}::jsonb, '::1', 'SUCCESS')`.execute(
      server.db,
    );
  // 9000 that somebody else released, and 1000 that nobody did.
  await move('9000', '23 hours 30 minutes');
  await move('1000', '1 hour');
  await sql`
    insert into approval (call, summary, "targetId", input, release, why, digest, "makerId", maker, "makerSession", "makerAddress", "makerAgent",
      "checkerId", checker, status, "expireTime", "decideTime")
    values ('addBalance', '人工加款', ${String(id)}, '{"balance": "9000"}', '', '', '', 1, 'a', ${randomUUID()}, '::1', '', 2, 'b', 'RELEASED', now(),
      now() - interval '23 hours 30 minutes')`.execute(server.db);
  const timeZone = zonePutForwardAt(new Date(Date.now() - 12 * 3_600_000));
  const db = connect(server.database.url, { timeZone, max: 1 });
  const asked = await moneyAbove(db, { id, balance: '1' }, { ...nobody, id: 1 });
  expect(typeof asked === 'function' ? await asked([]) : asked).toBe(why);
  await db.destroy();
});

it('parts that are sent at the same moment on two servers pass up to the parameter, and no further', {
  retry: 0,
}, async () => {
  const { accountId: id, userId } = await buildUser(server.db);
  const there = other.withToken(admin.token);
  const parts = Array.from(
    { length: 40 },
    (_, n) => () => (n % 2 === 0 ? admin : there).call(addBalance, { id, balance: '100' }),
  );
  const answers = await inParallel(parts, 20);
  expect(answers.filter(({ envelope }) => envelope.data === true)).toHaveLength(10);
  expect(answers.filter(({ envelope }) => typeof envelope.data === 'object')).toHaveLength(30);
  expect(await totalOf(userId)).toBe('1000.00');
});
