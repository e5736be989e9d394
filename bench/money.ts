import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { pageAccountHistory } from '#contract/account-history.ts';
import { pageDeposits } from '#contract/deposits.ts';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { requestFor } from '#contract/request.ts';
import { login } from '#contract/sign-in.ts';
import { buildApp } from '#server/app.ts';
import { connectionsOver, openConnections } from '#server/db/connections.ts';
import { connect } from '#server/db/database.ts';
import { startDatabaseClock } from '#server/db/database-clock.ts';
import { migrate } from '#server/db/migrate.ts';
import { seed } from '#server/features/seed.ts';
import { countFolding } from '#server/jobs/count-folding.ts';
import { startJobs } from '#server/jobs/start.ts';
import type { Program } from '#server/testing/program.ts';
import { bareLedger, type LedgerPage } from './bare-ledger.ts';
import { ADMIN_PASSWORD, benchConfig } from './bench-config.ts';
import { timeClicks } from './clicks.ts';
import { Computing } from './computing.ts';
import { startDirectus } from './directus.ts';
import type { Load } from './load.ts';
import { interleaved, loadOnce } from './measure.ts';
import { buildMoney } from './money-data.ts';
import { startOwnPostgres } from './own-postgres.ts';
import { APART, MANY, processPerCore, tellOurs } from './process-per-core.ts';
import { ofTree } from './spent.ts';
import { timeSums } from './sums.ts';

/*
 * Lists over a large platform. What ours is compared with runs in the same rounds: bare node:http over postgres.js that answers the same
 * bytes out of the same statements in their plain form, and the first page with the deep ones. BENCH_SCALE=0.1 builds a tenth; BENCH_DIR keeps
 * the data for another run, BENCH_ONLY=lists|depths|sums|clicks|directus does one part, BENCH_BEFORE=<another tree> measures that one's server too,
 * BENCH_DIRECTUS=<a folder where Directus is installed> that. Credits and batches are measured by posting.ts.
 */
const scale = Number(process.env.BENCH_SCALE ?? 1);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** The player whose ledger is asked for. */
const ofUser = Math.round(4_711 * scale) || 1;
const size = { accounts: 200_000 * scale, ledger: 5_000_000 * scale, orders: 1_000_000 * scale };
const dataDir = resolve(process.env.BENCH_DIR ?? `data/bench-${process.pid}`);
mkdirSync(dataDir, { recursive: true });
const config = benchConfig(dataDir);
const pg = await startOwnPostgres({ dataDir });

const patient = connect(pg.ownerUrl, { timeZone: config.timeZone, max: 1, patient: true });
await migrate(patient);
await seed(patient, { ...config, sampleData: false });
const { rows: there } = await sql`select from player limit 1`.execute(patient);
if (there.length === 0) await buildMoney(patient, size, (line) => console.log(line));

const connections = openConnections(pg.ownerUrl, { timeZone: config.timeZone });
const app = await buildApp({ config, connections });
// What a server does beside its calls, and what lists rely on.
const clock = await startDatabaseClock(patient);
const folding = startJobs(
  { connections: connectionsOver(patient, pg.ownerUrl), config, log: app.log, clock },
  [countFolding()],
);
const origin = await app.listen({ host: '127.0.0.1', port: 0 });
const signedIn = await app.inject({
  method: 'POST',
  url: `/api${login.path}`,
  payload: { username: 'admin', password: ADMIN_PASSWORD },
});
const { data: session, msg } = signedIn.json();
if (!session) throw new Error(`nobody could sign in: ${signedIn.statusCode} ${msg}`);
const token: string = session.access_token;

const loadOf = <E extends AnyEndpoint>(endpoint: E, input: WireInput<E>) => {
  const { method, url, contentType, body } = requestFor(endpoint, input);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(contentType ? { 'content-type': contentType } : {}),
  };
  return { url: origin + url, method, headers, body: body ?? '', seconds: 2 } satisfies Omit<
    Load,
    'connections'
  >;
};

const show = (value: number): string => value.toFixed(value < 100 ? 1 : 0);
const total = async (table: string) =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(patient)).rows[0]?.n ?? 0;
const ledgerRows = await total('account_history');
const deposits = await total('deposit');
console.log(
  `${ledgerRows} ledger rows, ${deposits + (await total('withdrawal'))} orders, ${await total('account')} accounts`,
);

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const range: [string, string] = [`${day(60)} 10:20:30`, `${day(20)} 21:10:05`];
const week: [string, string] = [`${day(37)} 00:00:00`, `${day(31)} 23:59:59`];
const deep = Math.floor(100_000 * scale);
/** Of so many users or pages, from the first on, each call asks for another, where who asks the same at the same time shares an answer. */
interface Apart {
  readonly field: 'userId' | 'currentPage';
  readonly from: number;
  readonly count: number;
}
const pages = (from: number): Apart => ({ field: 'currentPage', from, count: 40 });
const users: Apart = { field: 'userId', from: 1, count: size.accounts };
const compared: Record<string, { asked: LedgerPage; goal: number; at?: number; apart?: Apart }> = {
  'list of 20 + total of everything': { asked: {}, goal: 1, apart: pages(1) },
  'one user + total': { asked: { userId: ofUser }, goal: 1, apart: users },
  '7 days + type + total': { asked: { changeType: 'WIN', range: week }, goal: 0.95, apart: pages(1) },
  'page 100,000': { asked: { currentPage: deep }, goal: 0.95, apart: pages(deep) },
  '1000 rows': { asked: { pageSize: 1_000 }, goal: 0.95, at: 1 },
  '9999 rows': { asked: { pageSize: 9_999 }, goal: 0.95, at: 1 },
};

function asking<L extends Pick<Load, 'body' | 'url'>>(
  load: L,
  { field, ...numbers }: Apart,
): L & Pick<Load, 'filled'> {
  const filled = { number: 'NUMBER', ...numbers };
  if (load.url.includes(filled.number)) return { ...load, filled };
  const body = new URLSearchParams(load.body);
  body.set(field, filled.number);
  return { ...load, body: String(body), filled };
}

const lists = {
  'first page + total of everything': loadOf(pageAccountHistory, {}),
  'one user + total': loadOf(pageAccountHistory, { userId: ofUser }),
  '40 days of one type + total': loadOf(pageAccountHistory, { changeType: 'WIN', createTimeRange: range }),
  'deepest page': loadOf(pageAccountHistory, { currentPage: Math.floor(ledgerRows / 20) }),
  'page in the middle of 40 days of one type': loadOf(pageAccountHistory, {
    ...{ changeType: 'WIN', createTimeRange: range },
    currentPage: Math.ceil(ledgerRows * 0.003),
  }),
  'deposits, first page + total': loadOf(pageDeposits, {}),
  'deposits that wait': loadOf(pageDeposits, { status: 'PROCESSING' }),
};

const bytesOf = async ({ url, method, headers, body }: Omit<Load, 'connections'>) =>
  (await fetch(url, { method, headers, ...(method === 'POST' ? { body } : {}) })).text();

/** The server of another tree, over the same database; its own modules are loaded beside ours. */
async function otherServer(tree: string): Promise<{ origin: string; close: () => Promise<void> }> {
  const { buildApp: build } = await import(resolve(tree, 'server/app.ts'));
  const { openConnections: open } = await import(resolve(tree, 'server/db/connections.ts'));
  const own = open(pg.ownerUrl, { timeZone: config.timeZone });
  const other = await build({ config, connections: own });
  return {
    origin: await other.listen({ host: '127.0.0.1', port: 0 }),
    close: async () => {
      await other.close();
      await own.destroy();
    },
  };
}

type Compared = (typeof compared)[string];

/** What is asked of all of them, and how many requests at a time. */
function askedOf({ asked, at = 16 }: Compared): Load {
  const { range: createTimeRange, ...fields } = asked as LedgerPage & { changeType?: 'WIN' };
  const range = createTimeRange ? { createTimeRange: [...createTimeRange] as [string, string] } : {};
  return { ...loadOf(pageAccountHistory, { ...fields, ...range }), connections: at };
}

async function expectSame(name: string, load: Load, bare: string): Promise<void> {
  if ((await bytesOf(load)) !== (await bytesOf({ ...load, url: bare })))
    throw new Error(`${name}: the two answers differ`);
}

/** One list of all servers in turns: their rates, and what it costs each. */
async function compareList(name: string, wanted: Compared, program: Program, before?: string): Promise<void> {
  const bare = await bareLedger(pg.ownerUrl, config.timeZone, wanted.asked);
  const costs = new Map<string, Computing>();
  const contenders: Record<string, () => Promise<number>> = {};
  const add = (of: string, load: Load, byServer?: () => number): void => {
    const cost = new Computing(byServer);
    costs.set(of, cost);
    contenders[of] = () => cost.during(patient, load.seconds, () => loadOnce(load));
  };
  const addAll = (bareUrl: string, load: Load, apart = ''): void => {
    const of = (who: string) => (apart ? `${who} ${apart}` : who);
    const at = (where: string): Load => ({ ...load, url: load.url.replace(origin, where) });
    add(of('bare'), { ...load, url: bareUrl });
    if (before) add(of('before'), at(before));
    add(of('ours'), load);
    add(of(MANY), at(program.origin), () => ofTree(Number(program.process.pid)));
  };
  const load = askedOf(wanted);
  await expectSame(name, load, bare.url);
  addAll(bare.url, load);
  const { apart } = wanted;
  if (apart) {
    const { filled, ...other } = asking(load, apart);
    const second = { ...other, body: other.body.replace('NUMBER', String(apart.from + 1)) };
    await expectSame(`${name}, ${APART}`, second, bare.apart);
    addAll(bare.apart, asking(load, apart), APART);
  }
  const rates = await interleaved(contenders, rounds);
  await bare.close();
  console.log(
    `${name}: ${Object.entries(rates)
      .map(([of, rate]) => `${of} ${show(rate)}/s (${costs.get(of)})`)
      .join(', ')}`,
  );
  tellOurs(name, 'bare', rates, wanted.goal);
}

async function compareLists(): Promise<void> {
  const { BENCH_BEFORE: tree } = process.env;
  const before = tree ? await otherServer(tree) : undefined;
  const program = await processPerCore(patient, pg.ownerUrl, dataDir);
  for (const [name, wanted] of Object.entries(compared))
    await compareList(name, wanted, program, before?.origin);
  await program.end('SIGTERM');
  await before?.close();
}

async function compareDepths(): Promise<void> {
  const depth = await interleaved(
    Object.fromEntries(
      Object.entries(lists).map(([name, load]) => [name, () => loadOnce({ ...load, connections: 16 })]),
    ),
    rounds,
  );
  const first = depth['first page + total of everything'] ?? 0;
  for (const [name, rate] of Object.entries(depth))
    console.log(`${name}: ${show(rate)}/s, ${(first / rate).toFixed(2)}x the first page (goal 2)`);
}

const DIRECTUS_FIELDS =
  'id,userId,originAmount,amount,newAmount,direction,changeType,bizOrderNo,desc,createTime';
/** The same rows asked of Directus with their number, without players' names, which it would have to be told of. */
async function compareDirectus(): Promise<void> {
  const { BENCH_DIRECTUS: folder } = process.env;
  if (!folder) return;
  const directus = await startDirectus(folder, patient, pg.ownerUrl);
  const program = await processPerCore(patient, pg.ownerUrl, dataDir);
  const rows = `${directus.origin}/items/account_history?limit=20&sort=-id&meta=filter_count&fields=${DIRECTUS_FIELDS}`;
  const of = '&filter[userId][_eq]=';
  const theirs = { method: 'GET', headers: { authorization: `Bearer ${directus.token}` }, body: '' } as const;
  for (const [name, { ours, url, goal, apart, another }] of Object.entries({
    'page + total': {
      ...{ ours: loadOf(pageAccountHistory, {}), goal: 500, apart: pages(1) },
      ...{ url: rows, another: `${rows}&page=NUMBER` },
    },
    'one user + total': {
      ...{ ours: loadOf(pageAccountHistory, { userId: ofUser }), goal: 20, apart: users },
      ...{ url: `${rows}${of}${ofUser}`, another: `${rows}${of}NUMBER` },
    },
  })) {
    const load = { ...theirs, url, seconds: 6 };
    const [shown, own] = await Promise.all(
      [bytesOf(load), bytesOf(ours)].map(async (text) => JSON.parse(await text)),
    );
    const ids = (rows: { id: number | string }[]) => rows.map(({ id }) => Number(id)).join();
    if (shown.meta.filter_count !== own.data.totalCount || ids(shown.data) !== ids(own.data.data))
      throw new Error(`${name}: Directus shows other rows`);
    const many = { ...ours, url: ours.url.replace(origin, program.origin) };
    const rates = await interleaved(
      {
        directus: () => loadOnce({ ...load, connections: 16 }),
        ours: () => loadOnce({ ...ours, connections: 16 }),
        [MANY]: () => loadOnce({ ...many, connections: 16 }),
        [`directus ${APART}`]: () =>
          loadOnce({ ...asking({ ...load, url: another }, apart), connections: 16 }),
        [`ours ${APART}`]: () => loadOnce({ ...asking(ours, apart), connections: 16 }),
        [`${MANY} ${APART}`]: () => loadOnce({ ...asking(many, apart), connections: 16 }),
      },
      rounds,
    );
    tellOurs(name, 'Directus', rates, goal);
  }
  await program.end('SIGTERM');
  await directus.end();
}

const parts = {
  lists: compareLists,
  depths: compareDepths,
  sums: () => timeSums(loadOf, { ofUser, range, ledger: ledgerRows, deposits }, rounds),
  clicks: () => timeClicks(origin, rounds * 4),
  directus: compareDirectus,
};
for (const [name, compare] of Object.entries(parts))
  if ((process.env.BENCH_ONLY ?? name) === name) await compare();

await folding.stop();
await app.close();
await connections.destroy();
await patient.destroy();
await pg.stop();
if (!process.env.BENCH_DIR) rmSync(dataDir, { recursive: true, force: true });
