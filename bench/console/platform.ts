import { mkdirSync } from 'node:fs';
import { sql } from 'kysely';
import { login } from '#contract/sign-in.ts';
import { buildApp } from '#server/app.ts';
import { connectionsOver, openConnections } from '#server/db/connections.ts';
import { connect, type Db } from '#server/db/database.ts';
import { startDatabaseClock } from '#server/db/database-clock.ts';
import { migrate } from '#server/db/migrate.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { seed } from '#server/features/seed.ts';
import { countFolding } from '#server/jobs/count-folding.ts';
import { startJobs } from '#server/jobs/start.ts';
import { ADMIN_PASSWORD, benchConfig } from '../bench-config.ts';
import { buildMoney } from '../money-data.ts';

/** What the process is told to do. */
export interface Wanted {
  /** The built consoles to be served, each by a server of its own over the same rows. */
  readonly folders: readonly string[];
  readonly dataDir: string;
  /** How many rows its ledger has, about. */
  readonly ledger: number;
}

/** What it answers with once everything stands. */
export interface Served {
  readonly origins: readonly string[];
  /** What the login page leaves in the browser. */
  readonly token: object;
  readonly ledger: number;
}

/** A page that does nothing but fetch the same rows and show them. */
const bare = `<!doctype html><div id="root"></div><script>
const { access_token } = JSON.parse(localStorage.getItem('token'));
fetch('/api/pms/role/list', { method: 'POST', headers: { authorization: 'Bearer ' + access_token } }).then((answer) => answer.json()).then(({ data }) => {
  const cells = (row) => ['desc', 'name', 'createDate', 'editDate'].map((name) => '<td>' + row[name] + '</td>').join('');
  root.innerHTML = '<table><tbody>' + data.map((row) => '<tr>' + cells(row) + '</tr>').join('') + '</tbody></table>';
});</script>`;

const ROLES = 20;
const ACCOUNTS = 200_000;
const OF_LEDGER = 25;

/** Rows for the screens that are measured; a folder that has them already keeps them. */
async function fill(db: Db, ledger: number): Promise<void> {
  await sql`insert into role ("desc", name) select '角色 ' || g, 'bench' || g
    from generate_series((select count(*) from role) + 1, ${ROLES}::int) g`.execute(db);
  const { rows: there } = await sql`select from player limit 1`.execute(db);
  const accounts = Math.min(ACCOUNTS, Math.ceil(ledger / OF_LEDGER));
  const size = { accounts, ledger: accounts * OF_LEDGER, orders: 1_000 };
  if (there.length === 0) await buildMoney(db, size, (line) => console.log(line));
}

// Servers over one platform, in a process of their own: what drives the browser shares no thread with them.
process.once('message', async ({ folders, dataDir, ledger }: Wanted) => {
  mkdirSync(dataDir, { recursive: true });
  const config = benchConfig(dataDir);
  const pg = await startEmbeddedPostgres({ dataDir });
  const patient = connect(pg.ownerUrl, { timeZone: config.timeZone, max: 1, patient: true });
  await migrate(patient);
  await seed(patient, { ...config, sampleData: false });
  await fill(patient, ledger);

  const connections = openConnections(pg.ownerUrl, { timeZone: config.timeZone });
  const clock = await startDatabaseClock(patient);
  const apps = await Promise.all(
    folders.map(async (consoleFolder) => {
      const app = await buildApp({ config, connections, clock, consoleFolder });
      app.get('/bare', (_request, reply) => reply.type('text/html; charset=utf-8').send(bare));
      return { app, origin: await app.listen({ host: '127.0.0.1', port: 0 }) };
    }),
  );
  const [first] = apps;
  if (!first) throw new Error('no console to serve');
  const beside = { connections: connectionsOver(patient, pg.ownerUrl), config, log: first.app.log, clock };
  const folding = startJobs(beside, [countFolding()]);
  const payload = { username: 'admin', password: ADMIN_PASSWORD };
  const signedIn = await first.app.inject({ method: 'POST', url: `/api${login.path}`, payload });
  const { data: session, msg } = signedIn.json();
  if (!session) throw new Error(`nobody could sign in: ${signedIn.statusCode} ${msg}`);
  const { rows } = await sql<{ n: string }>`select count(*) as n from account_history`.execute(patient);
  const served: Served = {
    origins: apps.map(({ origin }) => origin),
    token: { ...session, operator: 'admin' },
    ledger: Number(rows[0]?.n),
  };
  process.send?.(served);

  process.once('message', async () => {
    await folding.stop();
    for (const { app } of apps) await app.close();
    await connections.destroy();
    await patient.destroy();
    await pg.stop();
    process.disconnect();
  });
});
