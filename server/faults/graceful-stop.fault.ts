import { mkdtempSync, rmSync } from 'node:fs';
import { connect as openSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setInterval as every, setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addRole, listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';

// A PostgreSQL of its own with durable commits: the program refuses one without.
let dataDir: string;
let postgres: EmbeddedPostgres;
let db: Db;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'back-office-stop-'));
  postgres = await startEmbeddedPostgres({ dataDir });
  db = connect(postgres.url, { timeZone: 'Asia/Shanghai', max: 2 });
});
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const CLIENTS = 32;

async function signIn({ origin }: Program): Promise<TestClient> {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  const { envelope } = await testClient(origin).call(login, { username, password });
  return testClient(origin, envelope.data?.access_token);
}

it('SIGTERM under load: what was received is answered once, nothing unanswered took effect, exit 0 within 10 s', async () => {
  const program = await startProgram({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl });
  const client = await signIn(program);
  const acknowledged = new Set<string>();
  let sent = 0;
  let stopping = false;
  const line = async () => {
    for (;;) {
      const name = `load-${++sent}`;
      try {
        const { envelope } = await client.call(addRole, { desc: '负载', name });
        if (envelope.success) acknowledged.add(name);
      } catch {
        // The port is closed, or a connection the server had no request on: either way it was not received.
        if (stopping) return;
        throw new Error('a request failed before the stop');
      }
    }
  };
  const load = Promise.all(Array.from({ length: CLIENTS }, line));
  await expect.poll(() => acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(100);
  stopping = true;
  const asked = performance.now();
  const code = await program.end('SIGTERM');
  const seconds = (performance.now() - asked) / 1_000;
  await load;
  const rows = await db.selectFrom('role').select('name').where('name', 'like', 'load-%').execute();
  const { rows: left } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`.execute(
    db,
  );
  console.log(`${acknowledged.size} changes acknowledged, exit ${code} after ${seconds.toFixed(2)} s`);
  expect(code).toBe(0);
  expect(seconds).toBeLessThan(10);
  expect(new Set(rows.map((row) => row.name))).toEqual(acknowledged);
  expect(left[0]?.n).toBe(0);
});

const codeOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error && 'code' in error.cause
    ? String(error.cause.code)
    : String(error);

const STOPS = 5;
const DRAIN_SECONDS = 3;

/** Calls until told to stop, over connections that are kept alive; tells what became of each call that failed. */
async function callUntil(client: TestClient, isOver: () => boolean, failures: string[]): Promise<number> {
  let lastAnswer = 0;
  while (!isOver()) {
    try {
      expect((await client.call(listRoles, {})).status).toBe(200);
      lastAnswer = performance.now();
    } catch (error) {
      failures.push(codeOf(error));
      if (codeOf(error) === 'ECONNREFUSED') break;
    }
  }
  return lastAnswer;
}

it('SIGTERM drains: /readyz says so first, callers sent elsewhere lose nothing, and the exit follows the last answer within 3 s', async () => {
  for (let stop = 0; stop < STOPS; stop++) {
    const program = await startProgram({
      DATABASE_URL: postgres.url,
      DATABASE_OWNER_URL: postgres.ownerUrl,
      DRAIN_SECONDS: String(DRAIN_SECONDS),
    });
    const client = await signIn(program);
    const failures: string[] = [];
    let ready = true;
    // A load balancer: looks once in 300 ms, and sends nothing more after the first refusal.
    const balancer = (async () => {
      while (ready) {
        await sleep(300);
        ready = (await fetch(`${program.origin}/readyz`)).status === 200;
      }
    })();
    const callers = Array.from({ length: CLIENTS }, () => callUntil(client, () => !ready, failures));
    await sleep(1_000 + Math.random() * 1_000);
    const asked = performance.now();
    const code = await program.end('SIGTERM');
    const ended = performance.now();
    await balancer;
    const last = Math.max(asked + DRAIN_SECONDS * 1_000, ...(await Promise.all(callers)));
    console.log(
      `stop ${stop}: ${failures.length} calls lost, exit ${code} ${((ended - last) / 1_000).toFixed(2)} s after the last answer`,
    );
    expect({ failures, code }).toEqual({ failures: [], code: 0 });
    expect(ended - last).toBeLessThan(3_000);
  }
});

it('SIGTERM without a load balancer: whoever goes on calling is refused at last, and never cut off', async () => {
  const failures: string[] = [];
  for (let stop = 0; stop < STOPS; stop++) {
    const program = await startProgram({
      DATABASE_URL: postgres.url,
      DATABASE_OWNER_URL: postgres.ownerUrl,
      DRAIN_SECONDS: '0',
    });
    const client = await signIn(program);
    const callers = Array.from({ length: CLIENTS }, () => callUntil(client, () => false, failures));
    await sleep(1_000);
    const asked = performance.now();
    expect(await program.end('SIGTERM')).toBe(0);
    const last = Math.max(asked, ...(await Promise.all(callers)));
    expect(performance.now() - last).toBeLessThan(3_000);
  }
  const cut = failures.filter((code) => code !== 'ECONNREFUSED');
  console.log(`${cut.length} calls cut off in ${STOPS} stops: ${cut.join(' ')}`);
  expect(cut).toEqual([]);
});

const STRANGERS_PER_SECOND = 400;

/** Opens a connection of its own for one call; tells how it ended. */
const stranger = (port: number): Promise<string> =>
  new Promise((resolve) => {
    let end = 'cut';
    const socket = openSocket(port, '127.0.0.1', () =>
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    );
    socket.on('data', () => {
      end = 'answered';
    });
    socket.on('error', (error: Error & { code?: string }) => {
      if (end === 'cut' && error.code === 'ECONNREFUSED') end = 'refused';
    });
    socket.on('close', () => resolve(end));
  });

/**
 * Callers who wait for no answer before the next one comes cannot be held inside. One whose connection the kernel completes
 * between the server's last look and the closing of the port is reset, whatever a program does: Linux has no call that takes no more
 * connections and hands over those it has, short of a second process on the same port and `net.ipv4.tcp_migrate_req`, or a
 * load balancer, which stops sending first.
 */
it('SIGTERM without a load balancer: of strangers who come all the time, hardly one meets the moment the port is closed', async () => {
  const ends: Record<string, number> = {};
  for (let stop = 0; stop < STOPS; stop++) {
    const program = await startProgram({
      DATABASE_URL: postgres.url,
      DATABASE_OWNER_URL: postgres.ownerUrl,
      DRAIN_SECONDS: '0',
    });
    const port = Number(new URL(program.origin).port);
    const calls: Promise<string>[] = [];
    let over = false;
    const coming = (async () => {
      const started = performance.now();
      for await (const _ of every(1)) {
        const due = ((performance.now() - started) / 1_000) * STRANGERS_PER_SECOND;
        while (calls.length < due) calls.push(stranger(port));
        if (over) break;
      }
    })();
    await sleep(500);
    expect(await program.end('SIGTERM')).toBe(0);
    over = true;
    await coming;
    for (const end of await Promise.all(calls)) ends[end] = (ends[end] ?? 0) + 1;
  }
  console.log(`strangers at ${STRANGERS_PER_SECOND} a second over ${STOPS} stops: ${JSON.stringify(ends)}`);
  expect(ends.answered).toBeGreaterThan(STOPS * 100);
  expect(ends.cut ?? 0).toBeLessThanOrEqual(STOPS);
});
