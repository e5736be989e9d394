import { randomUUID } from 'node:crypto';
import { connect as openSocket, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBalance } from '#contract/accounts.ts';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { type BuiltUser, balanceOf, buildUser } from '#server/testing/build-user.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { type TestClient, testClient, under } from '#server/testing/test-client.ts';

// CRASHES=2 for a quick look.
const CRASHES = Number(process.env.CRASHES ?? 20);
const WRITERS = 8;

let postgres: ExternalPostgres;
let program: Program;
let admin: TestClient;
let db: Db;
let player: BuiltUser;

const start = () => startProgram({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl });
async function signIn(): Promise<void> {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  const { envelope } = await testClient(program.origin).call(login, { username, password });
  admin = testClient(program.origin, envelope.data?.access_token);
}

beforeAll(async () => {
  postgres = await externalPostgres();
  program = await start();
  await signIn();
  db = connect(postgres.url, { timeZone: 'Asia/Shanghai' });
  player = await buildUser(db);
});
afterAll(async () => {
  await db?.destroy();
  await program?.end('SIGTERM');
  await postgres?.remove();
});

/** Keys of credits of 1 whose success was told, and of those nobody answered yet. */
const acknowledged = new Set<string>();
const unanswered = new Set<string>();

async function credit(key: string): Promise<boolean> {
  unanswered.add(key);
  const input = { id: player.accountId, balance: '1' };
  const sent = await admin.call(addBalance, input, under(key)).catch(() => undefined);
  if (!sent?.envelope.success) return false;
  unanswered.delete(key);
  acknowledged.add(key);
  return true;
}

/** Credits without pause, each under a key of its own, until told to stop. */
async function write(isOver: () => boolean): Promise<void> {
  for (let key = randomUUID(); !isOver(); )
    if (await credit(key)) key = randomUUID();
    else await sleep(50);
}

/** Sends again, under its key, whatever got no answer, until it has one. */
async function sendAgain(): Promise<number> {
  const keys = [...unanswered];
  for (const key of keys) await expect.poll(() => credit(key), { timeout: 20_000, interval: 50 }).toBe(true);
  return keys.length;
}

/** Everything acknowledged is there exactly once, and every sum and hash holds. */
async function expectWhole(): Promise<void> {
  expect(unanswered.size).toBe(0);
  expect((await balanceOf(db, player.userId)).totalAmount).toBe(`${acknowledged.size}.00`);
  await expectProven(db);
}

test(`kill -9 of PostgreSQL, ${CRASHES} times, under 8 writers: nothing acknowledged is lost or doubled`, async () => {
  let again = 0;
  for (let round = 0; round < CRASHES; round++) {
    let over = false;
    const writing = Promise.all(Array.from({ length: WRITERS }, () => write(() => over)));
    await sleep(300 + round * 17);
    postgres.kill();
    await sleep(100);
    await postgres.start();
    await sleep(200);
    over = true;
    await writing;
    again += await sendAgain();
    await expectWhole();
  }
  console.log(`PostgreSQL killed ${CRASHES} times: ${acknowledged.size} credits, ${again} sent again`);
});

/** Sends a credit and never reads the answer. */
function sendDeaf(key: string): Socket {
  const { hostname, port } = new URL(program.origin);
  const socket = openSocket(Number(port), hostname);
  socket.on('error', () => undefined);
  unanswered.add(key);
  socket.write(
    `GET /api/user/account/addBalance/${player.accountId}/1 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${admin.token}\r\n` +
      `idempotency-key: ${key}\r\n\r\n`,
  );
  return socket;
}

const committed = async (keys: readonly string[]): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from idempotency_key where key = any(${keys}::text[]) and status is not null`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
};

test(`kill -9 of the server, ${CRASHES} times, half of them between COMMIT and the answer: the same`, async () => {
  let again = 0;
  for (let round = 0; round < CRASHES; round++) {
    if (round % 2) {
      const keys = Array.from({ length: WRITERS }, () => randomUUID());
      const sockets = keys.map(sendDeaf);
      await expect.poll(() => committed(keys), { timeout: 10_000, interval: 5 }).toBe(WRITERS);
      await program.end('SIGKILL');
      for (const socket of sockets) socket.destroy();
    } else {
      let over = false;
      const writing = Promise.all(Array.from({ length: WRITERS }, () => write(() => over)));
      await sleep(200 + round * 23);
      await program.end('SIGKILL');
      over = true;
      await writing;
    }
    program = await start();
    await signIn();
    again += await sendAgain();
    await expectWhole();
  }
  console.log(`server killed ${CRASHES} times: ${acknowledged.size} credits, ${again} sent again`);
});
