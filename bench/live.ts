import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { getHappenings } from '#contract/happenings.ts';
import { listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { buildApp } from '#server/app.ts';
import { openConnections } from '#server/db/connections.ts';
import { connect } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { added } from '#server/db/rows.ts';
import { seed } from '#server/features/seed.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { ADMIN_PASSWORD, benchConfig } from './bench-config.ts';
import { tell } from './figures.ts';
import { interleaved, loadOnce } from './measure.ts';
import { startOwnPostgres } from './own-postgres.ts';

/*
 * A list of 20 rows, called while nobody listens to what happens and while 200 windows do and a deposit comes every second. The server is this
 * process, those who listen and the load are others.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 7);
const OPERATORS = 20;
const STREAMS = 10;

const dataDir = mkdtempSync(join(tmpdir(), 'back-office-bench-'));
const config = benchConfig(dataDir);
const pg = await startOwnPostgres({ dataDir, durable: false });
const { timeZone } = config;
const db = connect(pg.ownerUrl, { timeZone, max: 4 });
await migrate(db);
await seed(db, { ...config, sampleData: false });
for (let i = 0; i < 19; i++) await added(db, 'role', { desc: `角色 ${i}`, name: `role-${i}` });
const { userId } = await buildUser(db);

const connections = openConnections(pg.ownerUrl, { timeZone });
const app = await buildApp({ config, connections });
const origin = await app.listen({ host: '127.0.0.1', port: 0 });

async function tokenOf(username: string, password: string): Promise<string> {
  const signedIn = await app.inject({
    method: 'POST',
    url: `/api${login.path}`,
    payload: { username, password },
  });
  return signedIn.json().data.access_token;
}
const admin = await tokenOf('admin', ADMIN_PASSWORD);
const tokens: string[] = [];
for (let i = 0; i < OPERATORS; i++) {
  const { username } = await buildOperator(db, { grants: ['/main/user/deposit-record'] });
  tokens.push(await tokenOf(username, PASSWORD));
}

const list = () =>
  loadOnce({
    method: 'POST',
    url: `${origin}/api${listRoles.path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${admin}` },
    body: 'desc=&name=',
    seconds: 3,
    connections: 16,
  });

async function listening(work: () => Promise<number>): Promise<number> {
  const child: ChildProcess = fork(fileURLToPath(new URL('listeners.ts', import.meta.url)));
  const all = tokens.flatMap((token) => Array.from({ length: STREAMS }, () => token));
  child.send({ url: `${origin}/api${getHappenings.path}`, tokens: all });
  await once(child, 'message');
  const deposit = () =>
    sql`insert into deposit ("userId", amount, "bankOrderNo", type)
      values (${userId}, 1, gen_random_uuid()::text, 'THIRD_PARTY')`.execute(db);
  const timer = setInterval(() => void deposit(), 1_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    child.kill();
    await once(child, 'exit');
  }
}

/** What the server computes in a second while nobody calls anything: in milliseconds. */
async function computing(): Promise<number> {
  const before = process.cpuUsage();
  await sleep(10_000);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10_000;
}
const idle = await computing();
const busy = await listening(computing);
tell({
  what: `computing for ${OPERATORS * STREAMS} streams that hear of a deposit a second`,
  value: busy - idle,
  unit: 'ms/s',
  note: `${idle.toFixed(1)} without, ${busy.toFixed(1)} with them`,
});

const { alone = 0, told = 0 } = await interleaved({ alone: list, told: () => listening(list) }, ROUNDS);
tell({
  ...{
    what: `a list beside ${OPERATORS * STREAMS} streams, against nobody listening`,
    value: alone / told,
    unit: 'times',
  },
  note: `${alone.toFixed(0)}/s and ${told.toFixed(0)}/s`,
});

await app.close();
await connections.destroy();
await db.destroy();
await pg.stop();
rmSync(dataDir, { recursive: true, force: true });
