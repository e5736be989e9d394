import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addRole, listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { shares } from '#server/db/connection-shares.ts';
import { connect } from '#server/db/database.ts';
import { allParts } from '#server/jobs/all-parts.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';

// OUTAGE_SECONDS=2 for a quick look.
const OUTAGE_MS = Number(process.env.OUTAGE_SECONDS ?? 30) * 1_000;
const ROUNDS = 10;
const CALLERS = 8;

let postgres: ExternalPostgres;
let program: Program;
let client: TestClient;
beforeAll(async () => {
  postgres = await externalPostgres();
  program = await startProgram({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl });
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  const { envelope } = await testClient(program.origin).call(login, { username, password });
  client = testClient(program.origin, envelope.data?.access_token);
});
afterAll(async () => {
  await program.end('SIGTERM');
  await postgres.remove();
});

let serial = 0;
/** One query and one change; tells how they went and how long the slower one took. */
async function callOnce() {
  const started = performance.now();
  const listed = await client.call(listRoles, {});
  const between = performance.now();
  const added = await client.call(addRole, { desc: '停机', name: `outage-${++serial}` });
  const answers = [listed, added];
  const ms = Math.max(between - started, performance.now() - between);
  return { ms, statuses: answers.map(({ status }) => status), answers };
}

/** The ways a database goes away, and how it returns: shut down, killed, and standing still with all connections open. */
const ways = [
  { leave: () => postgres.stop(), back: () => postgres.start() },
  { leave: async () => postgres.kill(), back: () => postgres.start() },
  { leave: async () => postgres.freeze(), back: async () => postgres.thaw() },
];

test('the database stops, or stands still, and returns: the same process, 503 within 3 s meanwhile, success within 2 s of its return, no connection leaked', async () => {
  let slowestRefusal = 0;
  let slowestReturn = 0;
  for (let round = 0; round < ROUNDS; round++) {
    // Calls are under way when it goes.
    const underWay = Promise.allSettled(Array.from({ length: CALLERS }, callOnce));
    const way = ways[round % ways.length];
    await way?.leave();
    await underWay;
    const until = performance.now() + OUTAGE_MS;
    while (performance.now() < until) {
      const results = await Promise.all(Array.from({ length: CALLERS }, callOnce));
      for (const { ms, statuses, answers } of results) {
        expect(statuses).toEqual([503, 503]);
        expect(answers[0]?.envelope).toEqual({ success: false, msg: '系统无响应', data: null, code: 503 });
        slowestRefusal = Math.max(slowestRefusal, ms);
      }
      expect((await fetch(`${program.origin}/healthz`)).status).toBe(200);
      expect((await fetch(`${program.origin}/readyz`)).status).toBe(503);
      await sleep(200);
    }
    await way?.back();
    const returned = performance.now();
    await expect
      .poll(async () => (await callOnce()).statuses, { timeout: 10_000, interval: 20 })
      .toEqual([200, 200]);
    slowestReturn = Math.max(slowestReturn, performance.now() - returned);
  }
  console.log(
    `${ROUNDS} outages of ${OUTAGE_MS / 1_000} s: slowest refusal ${Math.round(slowestRefusal)} ms, first success ${Math.round(slowestReturn)} ms after the return`,
  );
  expect(slowestRefusal).toBeLessThan(3_000);
  expect(slowestReturn).toBeLessThan(2_000);
  expect(program.process.exitCode).toBeNull();
  await Promise.all(Array.from({ length: 50 }, callOnce));
  const db = connect(postgres.url, { timeZone: 'UTC', max: 1, applicationName: 'counting' });
  const { rows } = await sql<{ n: number; open: number }>`
    select count(*)::int as n, count(*) filter (where state like 'idle in transaction%')::int as open
    from pg_stat_activity where application_name like 'back-office%' and datname = current_database()`.execute(
    db,
  );
  await db.destroy();
  console.log(`connections: ${rows[0]?.n}`);
  const most = [...Object.values(shares), ...allParts().map(({ connections = 1 }) => connections)];
  expect(rows[0]?.n).toBeLessThanOrEqual(most.reduce((sum, share) => sum + share, 0));
  expect(rows[0]?.open).toBe(0);
});

test('a server that starts before its database waits for it', async () => {
  await postgres.stop();
  const starting = startProgram({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl });
  await sleep(6_000);
  await postgres.start();
  const second = await starting;
  expect(second.said.join('\n')).toContain('数据库暂时无法连接');
  expect(await second.end('SIGTERM')).toBe(0);
});
