import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reviewDeposit } from '#contract/deposits.ts';
import { getDeskOrder, getMoneyDesk, type OrderKey, takeNextOrder } from '#contract/money-desk.ts';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { setParam } from '#server/testing/approving.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { given } from '#server/testing/given.ts';
import { inParallel } from '#server/testing/parallel.ts';
import { type Program, startProgram } from '#server/testing/program.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';

const HELD = 5;
const MINUTES = 1;
const AMOUNT = '10';

let postgres: ExternalPostgres;
const start = () => startProgram({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl });
let db: Db;
let dying: Program;
let living: Program;

beforeAll(async () => {
  postgres = await externalPostgres();
  dying = await start();
  living = await start();
  db = connect(postgres.url, { timeZone: 'Asia/Shanghai', max: 2 });
  await setParam(db, 'desk.takeMinutes', String(MINUTES));
});
afterAll(async () => {
  await dying.end('SIGKILL');
  await living.end('SIGTERM');
  await db.destroy();
  await postgres.remove();
});

async function cashier(): Promise<{ username: string; token: string }> {
  const grants = ['/main/user/money-desk', '/main/user/deposit-record'];
  const { username } = await buildOperator(db, { grants });
  const { envelope } = await testClient(living.origin).call(login, { username, password: PASSWORD });
  return { username, token: given(envelope.data).access_token };
}

const next = async (client: TestClient): Promise<OrderKey | null> =>
  given((await client.call(takeNextOrder, { kind: 'DEPOSIT' })).envelope.data).order;
const passes = async (client: TestClient, { id }: OrderKey): Promise<boolean> =>
  (await client.call(reviewDeposit, { id, action: 'PASS' })).envelope.success;

it('orders on a desk whose server is killed are free at the told time and no sooner, and are decided once', async () => {
  const { userId } = await buildUser(db);
  await sql`
    insert into deposit ("userId", amount, "bankOrderNo", type)
    select ${userId}, ${AMOUNT}, gen_random_uuid()::text, 'BANK_TRANSFER' from generate_series(1, ${HELD})`.execute(
    db,
  );
  const [first, second] = [await cashier(), await cashier()];
  const atDying = testClient(dying.origin, first.token);
  const held: OrderKey[] = [];
  for (let n = 0; n < HELD; n++) held.push(given(await next(atDying)));
  const told = await Promise.all(
    held.map(async (key) => {
      const { envelope } = await atDying.call(getDeskOrder, { kind: key.kind, id: key.id });
      return given(given(envelope.data).takenUntil);
    }),
  );

  // Half of them are being decided when the server dies.
  const deciding = held.slice(0, 2).map((key) => passes(atDying, key).catch(() => undefined));
  await dying.end('SIGKILL');
  const answered = (await Promise.all(deciding)).filter((one) => one === true).length;
  const own = testClient(living.origin, first.token);
  const other = testClient(living.origin, second.token);
  const read = async () => given((await other.call(getMoneyDesk, {})).envelope.data);
  const { orders } = await read();
  expect(orders.length).toBeGreaterThanOrEqual(HELD - 2);
  expect(orders.length).toBeLessThanOrEqual(HELD - answered);
  expect(new Set(orders.map(({ taker }) => taker))).toEqual(new Set([first.username]));
  expect(await next(other)).toBeNull();
  expect(await passes(other, given(orders[0]))).toBe(false);

  const freeAt = new Map<number, number>();
  for (const { id } of orders) {
    const until = given(told[held.findIndex((key) => key.id === id)]);
    let taken: OrderKey | null = null;
    while (!taken) {
      taken = await next(other);
      if (!taken) await sleep(100);
    }
    expect(taken.id).toBe(id);
    freeAt.set(id, Date.now() - Date.parse(`${until.replace(' ', 'T')}+08:00`));
  }
  const late = [...freeAt.values()];
  // The told time has whole seconds; the operators' clock is the database's, which is this machine's.
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...late)).toBeLessThan(5_000);

  // Whoever held them has not heard of it and decides too.
  for (const { id } of orders) {
    const key: OrderKey = { kind: 'DEPOSIT', id };
    const all = Array.from({ length: 10 }, (_, n) => () => passes(n % 2 === 0 ? own : other, key));
    expect((await inParallel(all, 10)).filter(Boolean)).toHaveLength(1);
  }
  const { rows } = await sql<{ reviewer: string; count: number }>`
    select reviewer, count(*)::int as count from deposit where status = 'SUCCESS' group by 1`.execute(db);
  expect(rows.find(({ reviewer }) => reviewer === second.username)?.count).toBe(orders.length);
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(HELD);
  expect(await balanceOf(db, userId)).toMatchObject({ totalAmount: `${HELD * Number(AMOUNT)}.00` });
  console.log(
    `${HELD} orders taken for ${MINUTES} min, ${HELD - orders.length} decided before the kill; ${orders.length} free ${Math.round(Math.max(...late))} ms after the told time at the latest, each decided once`,
  );
});
