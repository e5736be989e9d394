import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addRole } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { testClient } from '#server/testing/test-client.ts';

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

/** The real program on the test's database; resolves when it says where it listens. */
async function startProgram() {
  const program = spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: postgres.url,
      APP_SECRET: Buffer.alloc(32, 'test').toString('base64'),
      ADMIN_PASSWORD: 'admin of the tests',
      PORT: '0',
      LOG_LEVEL: 'error',
    },
  });
  const origin = await new Promise<string>((resolve, reject) => {
    let said = '';
    program.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (address) resolve(address);
    });
    program.once('exit', (code) => reject(new Error(`the program ended with ${code}`)));
  });
  return { program, origin };
}

it('SIGTERM under load: what was received is answered once, nothing unanswered took effect, exit 0 within 10 s', async () => {
  const { program, origin } = await startProgram();
  const signedIn = await testClient(origin).call(login, {
    username: 'admin',
    password: 'admin of the tests',
  });
  const client = testClient(origin, signedIn.envelope.data?.access_token);
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
  program.kill('SIGTERM');
  const [code] = await once(program, 'exit');
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
