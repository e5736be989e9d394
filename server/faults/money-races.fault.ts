import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBalance, subtractBalance } from '#contract/accounts.ts';
import { reviewDeposit } from '#contract/deposits.ts';
import { placeDeposit, placeWithdrawal } from '#contract/platform.ts';
import { login } from '#contract/sign-in.ts';
import { markWithdrawal } from '#contract/withdrawals.ts';
import { connect, type Db } from '#server/db/database.ts';
import { type BuiltUser, balanceOf, buildUser } from '#server/testing/build-user.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { inParallel } from '#server/testing/parallel.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { type TestClient, testClient, under } from '#server/testing/test-client.ts';

// Two servers over one database. BANK_SECONDS=5 for a quick look.
const BANK_SECONDS = Number(process.env.BANK_SECONDS ?? 60);
const KEY = 'platform-key-of-the-tests-0123456789';

let postgres: ExternalPostgres;
let programs: Program[];
let admins: TestClient[];
let site: TestClient;
let db: Db;

async function signedIn(origin: string): Promise<TestClient> {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  const { envelope } = await testClient(origin).call(login, { username, password });
  return testClient(origin, envelope.data?.access_token);
}

beforeAll(async () => {
  postgres = await externalPostgres();
  const start = () =>
    startProgram({
      DATABASE_URL: postgres.url,
      DATABASE_OWNER_URL: postgres.ownerUrl,
      PLATFORM_API_KEY: KEY,
    });
  programs = [await start(), await start()];
  admins = await Promise.all(programs.map(({ origin }) => signedIn(origin)));
  site = testClient(programs[0]?.origin ?? '', KEY);
  db = connect(postgres.url, { timeZone: 'Asia/Shanghai' });
});
afterAll(async () => {
  await db?.destroy();
  for (const program of programs ?? []) await program.end('SIGTERM');
  await postgres?.remove();
});

const adminOf = (turn: number): TestClient => {
  const admin = admins[turn % admins.length];
  if (!admin) throw new Error('no server');
  return admin;
};

const deposit = async (userId: number, amount: string): Promise<number> => {
  const order = { userId, amount, type: 'BANK_TRANSFER', bankOrderNo: randomUUID() } as const;
  return given((await site.call(placeDeposit, order)).envelope.data);
};

test('200 orders x 50 concurrent approvals and rejections over 2 servers: one effect each, the rest 该订单已处理, none too busy to say', async () => {
  const { userId } = await buildUser(db);
  const ids = await inParallel(
    Array.from({ length: 200 }, () => () => deposit(userId, '1')),
    16,
  );
  const started = performance.now();
  const outcomes = new Map<string, number>();
  for (const id of ids) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        adminOf(i).call(reviewDeposit, { id, action: (i >> 1) % 2 ? 'PASS' : 'REJECT', remark: '并发' }),
      ),
    );
    expect(answers.filter(({ envelope }) => envelope.success)).toHaveLength(1);
    for (const { status, envelope } of answers) {
      const outcome = `${status} ${envelope.msg}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  }
  expect(Object.fromEntries(outcomes)).toEqual({ '200 操作成功': 200, '200 该订单已处理': 9_800 });
  const { rows } = await sql<{ passed: number; posted: number }>`
    select (select count(*) from deposit where "userId" = ${userId} and status = 'SUCCESS') as passed,
      (select count(*) from account_history where "userId" = ${userId}) as posted`.execute(db);
  expect(rows[0]?.posted).toBe(rows[0]?.passed);
  expect((await balanceOf(db, userId)).totalAmount).toBe(`${rows[0]?.passed}.00`);
  await expectProven(db);
  console.log(
    `10,000 decisions on 200 orders in ${Math.round(performance.now() - started)} ms: ${rows[0]?.passed} passed`,
  );
});

test('100 keys x 20 parallel sends over 2 servers: 100 ledger rows, the same bodies', async () => {
  const { accountId, userId } = await buildUser(db);
  const keys = Array.from({ length: 100 }, () => randomUUID());
  const send = (key: string, turn: number, balance = '1') =>
    adminOf(turn).call(addBalance, { id: accountId, balance }, under(key));
  const bodies = await inParallel(
    keys.map((key) => async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => send(key, i)));
      return new Set(answers.map(({ envelope }) => JSON.stringify(envelope)));
    }),
    8,
  );
  expect(bodies.every((set) => set.size === 1 && [...set].join().includes('"success":true'))).toBe(true);
  expect((await balanceOf(db, userId)).totalAmount).toBe('100.00');
  expect((await send(keys[0] ?? '', 0, '2')).envelope.msg).toBe('同一幂等键不能用于不同的请求');
  await Promise.all([0, 1, 2].map((turn) => adminOf(turn).call(addBalance, { id: accountId, balance: '1' })));
  expect((await balanceOf(db, userId)).totalAmount).toBe('103.00');
});

interface Tally {
  calls: number;
  refused: number;
  odd: Set<string>;
}

const known = new Set(['操作成功', '可用余额不足', '该订单已处理']);

/** A clerk of the bank: credits, debits, pays in, decides, takes out, until time is up. */
async function clerk(
  place: number,
  players: readonly BuiltUser[],
  until: number,
  tally: Tally,
): Promise<void> {
  const draws = fc.sample(fc.integer({ min: 0, max: 1_000_000 }), {
    numRuns: 4_000,
    seed: randomSeed + place,
  });
  const below = (limit: number): number => (draws.pop() ?? Math.floor(Math.random() * 1e6)) % limit;
  const admin = adminOf(place);
  while (performance.now() < until) {
    const { accountId: id, userId } = players[below(players.length)] ?? { accountId: 0, userId: 0 };
    const amount = `${below(300)}.${1 + below(9_998)}`;
    const kind = below(4);
    if (kind === 0) note(tally, await admin.call(addBalance, { id, balance: amount }));
    else if (kind === 1) note(tally, await admin.call(subtractBalance, { id, balance: amount }));
    else if (kind === 2) {
      const order = await deposit(userId, amount);
      const action = below(4) ? 'PASS' : 'REJECT';
      note(tally, await admin.call(reviewDeposit, { id: order, action, remark: '混合负载' }));
    } else {
      const wanted = { userId, amount, bankOrderNo: randomUUID(), receiveAccount: { accountNo: '1' } };
      const placed = await site.call(placeWithdrawal, wanted);
      note(tally, placed);
      const order = placed.envelope.success && placed.envelope.data;
      const action = below(3) ? 'PAID' : 'REJECT';
      if (order) note(tally, await admin.call(markWithdrawal, { id: order, action, remark: '混合负载' }));
    }
  }
}

function note(
  tally: Tally,
  { status, envelope }: { status: number; envelope: { success: boolean; msg: string | null } },
) {
  tally.calls++;
  if (!envelope.success) tally.refused++;
  if (status !== 200 || !known.has(envelope.msg ?? '')) tally.odd.add(`${status} ${envelope.msg}`);
}

/** What all accounts hold, less what the ledger says, in one snapshot; and how many accounts break their own rules. */
async function deviation(): Promise<string> {
  const { rows } = await sql<{ sum: string; broken: number }>`
    select (select sum("totalAmount") from account) -
        (select sum(case direction when 'IN' then amount else -amount end) from account_history) as sum,
      (select count(*) from account where "totalAmount" <> "availableAmount" + "freezeAmount"
        or least("availableAmount", "freezeAmount") < 0) as broken`.execute(db);
  return `${Number(rows[0]?.sum)} ${rows[0]?.broken}`;
}

test(`a bank of 20 accounts and 32 clients for ${BANK_SECONDS} s: the sum, read every 100 ms, never deviates`, async () => {
  const players = await inParallel(
    Array.from({ length: 20 }, () => () => buildUser(db, { balance: '1000' })),
    4,
  );
  const tally: Tally = { calls: 0, refused: 0, odd: new Set() };
  const until = performance.now() + BANK_SECONDS * 1_000;
  const work = Promise.all(Array.from({ length: 32 }, (_, i) => clerk(i, players, until, tally)));
  let looks = 0;
  while (performance.now() < until) {
    expect(await deviation()).toBe('0 0');
    looks++;
    await sleep(100);
  }
  await work;
  expect(await deviation()).toBe('0 0');
  expect([...tally.odd]).toEqual([]);
  const proof = await expectProven(db);
  console.log(
    `bank: ${tally.calls} calls (${tally.refused} refused) in ${BANK_SECONDS} s, ${looks} looks, ${proof.rows} ledger rows prove`,
  );
});
