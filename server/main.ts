import cluster from 'node:cluster';
import type { FastifyInstance } from 'fastify';
import program from '../package.json' with { type: 'json' };
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { ensureConsole } from './console-build.ts';
import type { Connections } from './db/connections.ts';
import type { DatabaseClock } from './db/database-clock.ts';
import { LogOutput } from './log-output.ts';
import { outliveReaders, sentenceOf } from './plain-errors.ts';
import { wordsOf } from './told-failures.ts';

/** What has been opened, to be closed in reverse. */
const opened: (() => Promise<unknown>)[] = [];

const GIVE_UP_MS = 9_000;
/** What follows the time of draining is given as much at least. */
const CLOSE_MS = 4_500;
const LAST_MS = 2_000;
const IMPATIENCE_MS = 1_000;

let ending: Promise<void> | undefined;

/** How long a stop by SIGTERM goes on answering; Ctrl-C and a closed terminal wait for nobody. */
let drainMs = 0;

/** Waits no longer for what is being closed, and closes the rest at once: PostgreSQL must not go on alone. */
async function giveUp(): Promise<void> {
  console.error('停止用时过长，不再等待没有做完的工作');
  setTimeout(() => process.exit(1), LAST_MS);
  await Promise.allSettled(opened.splice(0).map((close) => close()));
  process.exit(1);
}

/** Closes all that was opened: requests under way are answered, PostgreSQL is shut down properly. */
function end(code: number): Promise<void> {
  ending ??= (async () => {
    setTimeout(() => void giveUp(), Math.max(GIVE_UP_MS, drainMs + CLOSE_MS)).unref();
    for (let close = opened.pop(); close; close = opened.pop())
      await close().catch((error: unknown) => {
        console.error(sentenceOf(error));
        process.exitCode = 1;
      });
    if (signalledAt !== undefined && cluster.isPrimary) console.log('已停止');
    process.exit(process.exitCode ?? code);
  })();
  return ending;
}

outliveReaders();

let signalledAt: number | undefined;
/** What is handed on to the processes behind one port; without a signal they wait for nobody. */
let signalled: NodeJS.Signals = 'SIGINT';
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Ctrl-C comes twice within a moment: from the terminal, and handed on by npm. Only a later one is impatience.
    if (signalledAt !== undefined && performance.now() - signalledAt > IMPATIENCE_MS) process.exit(1);
    if (signalledAt === undefined) {
      signalled = signal;
      if (cluster.isPrimary) console.log(`收到 ${signal}，正在停止…`);
    }
    signalledAt ??= performance.now();
    if (signal !== 'SIGTERM') drainMs = 0;
    void end(0);
  });
}

/** The database's addresses, the server's and the owner's: given, or those of the PostgreSQL started here. */
async function databaseUrls(config: Config): Promise<{ url: string; ownerUrl: string | null }> {
  const { databaseUrl: url, databaseOwnerUrl: ownerUrl, dataDir } = config;
  if (url) return { url, ownerUrl };
  const { startEmbeddedPostgres } = await import('./embedded-postgres/embedded-postgres.ts');
  const starting = startEmbeddedPostgres({ dataDir, onEvent: console.error });
  // Registered before it runs, so that a signal in between stops it too.
  opened.push(() => starting.then((postgres) => postgres.stop()).catch(() => {}));
  return starting;
}

/** Of a password that is random nobody is told twice. */
function tellFirstOperator(
  config: Config,
  { username, password }: { username: string; password: string },
): void {
  // One that was given is known, and a log is no place for it.
  const told = config.adminPassword === null ? password : '环境变量 ADMIN_PASSWORD 的值';
  console.log(`首次运行，操作员账号：${username}\n密码：${told}`);
}

/** Connects, checks, migrates and seeds; gives the address of what stands ready. */
async function prepareDatabase(config: Config): Promise<string> {
  const starting = databaseUrls(config);
  const { prepareSchema } = await import('./db/prepare-schema.ts');
  const { connect } = await import('./db/database.ts');
  const { url, ownerUrl } = await starting;
  const { timeZone } = config;
  const patient = connect(url, { timeZone, max: 1, patient: true });
  try {
    const { applied, warnings } = await prepareSchema(patient, ownerUrl, timeZone, (error) =>
      console.error(`数据库暂时无法连接（${wordsOf(error)}），一分钟内不断重试…`),
    );
    // A new database takes all of them, whose names tell a newcomer nothing.
    if (applied[0]?.startsWith('0001-')) console.log(`已建立数据库（${applied.length} 项迁移）`);
    else for (const name of applied) console.log(`已升级数据库：${name}`);
    // Of several processes the one that looks after the others has said it.
    if (cluster.isPrimary) {
      const { checkBudget } = await import('./db/connection-budget.ts');
      const { databaseConnections: each, servers } = config;
      const { tellOtherRules } = await import('./features/platform-zone.ts');
      const more = [await checkBudget(patient, { each, servers }), await tellOtherRules(patient, timeZone)];
      for (const warning of [...warnings, ...more]) if (warning) console.error(warning);
    }
    const { assertSecret } = await import('./features/assert-secret.ts');
    const { createVault } = await import('./vault.ts');
    await assertSecret(patient, createVault(config.secret));
    const { keepTimeZone } = await import('./features/platform-zone.ts');
    await keepTimeZone(patient, timeZone);
    const { seed } = await import('./features/seed.ts');
    const { firstOperator } = await seed(patient, config);
    // Here, where the operator is made: whatever keeps this start from listening, the next one makes none.
    if (firstOperator) tellFirstOperator(config, firstOperator);
    return url;
  } finally {
    await patient.destroy();
  }
}

/**
 * How many connections may wait until they are accepted. Of more than this, or than the system's own bound (`net.core.somaxconn`, as a
 * rule 4096), a caller hears nothing and tries again after a second; Node's own 511 are less than a thousand sign-ins at once.
 */
const CONNECTIONS_WAITING = 4_096;

async function listen(app: FastifyInstance, { commands }: Connections, config: Config): Promise<string> {
  const { port } = config;
  const { listeningHost } = await import('./features/known-password.ts');
  const { host, reason } = await listeningHost(commands, config.host);
  if (reason) console.log(reason);
  try {
    return await app.listen({ host, port, backlog: CONNECTIONS_WAITING });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EADDRINUSE') throw new ConfigError(`端口 ${port} 已被占用，请用环境变量 PORT 另选端口`);
    if (code === 'EACCES') throw new ConfigError(`没有权限监听端口 ${port}，请用环境变量 PORT 另选端口`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new ConfigError(`本机没有环境变量 HOST 指定的地址 ${host}`);
    throw error;
  }
}

/** Loaded last, since callers need not wait for it. */
async function startBackground(
  app: FastifyInstance,
  config: Config,
  connections: Connections,
  clock: DatabaseClock,
) {
  const { startJobs } = await import('./jobs/start.ts');
  const jobs = startJobs({ connections, config, log: app.log, clock });
  app.background = jobs;
  return jobs;
}

const tellStarted = (address: string): void =>
  console.log(`运营后台已启动（版本 ${program.version}）：${address}`);

/** Several processes behind one port. */
async function startSeveral(config: Config): Promise<void> {
  const preparing = prepareDatabase(config);
  const [url] = await Promise.all([preparing, ensureConsole(() => console.log('正在构建控制台…'))]);
  const { startWorkers } = await import('./workers.ts');
  const workers = startWorkers(config, url, import.meta.filename);
  opened.push(() => workers.end(signalled));
  drainMs = config.drainSeconds * 1_000;
  tellStarted(await workers.listening);
}

async function start(): Promise<void> {
  const { loadConfig } = await import('./config.ts');
  const config = loadConfig(process.env);
  await (config.servers > 1 && cluster.isPrimary ? startSeveral(config) : startOne(config));
}

async function startOne(config: Config): Promise<void> {
  // PostgreSQL starts and the console is built while the modules load.
  const preparing = prepareDatabase(config);
  const building = ensureConsole(() => console.log('正在构建控制台…'));
  const loading = import('./app.ts');
  const [url, { buildApp }] = await Promise.all([preparing, loading, building]);
  const { openConnections } = await import('./db/connections.ts');
  const { timeZone, databaseReplicaUrl: replicaUrl, databaseConnections: most } = config;
  const connections = openConnections(url, { timeZone, replicaUrl, most });
  opened.push(() => connections.destroy());
  if (config.traces) opened.push(await (await import('./traces.ts')).sendTraces(config.traces));
  const { startDatabaseClock } = await import('./db/database-clock.ts');
  const clock = await startDatabaseClock(connections.health);
  opened.push(async () => clock.stop());
  // Asked for so, a pipe is one that blocks nobody.
  const log = new LogOutput(process.stdout.fd);
  process.once('exit', () => log.flush());
  const app = await buildApp({ config, connections, clock, logTo: log });
  let background: ReturnType<typeof startBackground> | undefined;
  drainMs = config.drainSeconds * 1_000;
  opened.push(async () => {
    // Other servers take the background work over meanwhile.
    const stopped = background?.then(
      (jobs) => jobs.stop(),
      () => {},
    );
    await app.drain(drainMs);
    await Promise.all([app.close(), stopped]);
  });
  const address = await listen(app, connections, config);
  if (cluster.isWorker) (await import('./fellow-workers.ts')).sayListening(address);
  else tellStarted(address);
  background = startBackground(app, config, connections, clock);
  await background;
}

try {
  await start();
} catch (error) {
  if (!ending) {
    console.error(sentenceOf(error));
    await end(1);
  }
}
