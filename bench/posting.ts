import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { addBalance } from '#contract/accounts.ts';
import { requestFor } from '#contract/request.ts';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { migrate, migrateTo } from '#server/db/migrate.ts';
import { readMigrations } from '#server/db/migration-files.ts';
import { proveLedger } from '#server/features/ledger/ledger-proof.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';
import { tell } from './figures.ts';
import { interleaved, loadOnce } from './measure.ts';
import { startOwnPostgres } from './own-postgres.ts';
import { pgbenchRate } from './pgbench.ts';
import { pinApart } from './pin.ts';
import { compareBatches } from './posting-batch.ts';
import { spentOn } from './spent.ts';
import { waitsDuring } from './waits.ts';

/*
 * The money path: a batch against the bare SQL that writes the same rows; credits with the console's key, signed in and checked, against
 * pgbench running the transaction of before on the database of before, and on the tables of now; and one, two and four servers with what
 * the database waited for. BENCH_ROUNDS, BENCH_SECONDS and BENCH_SCALE make it shorter, BENCH_ONLY=batch|credits|servers does one part,
 * BENCH_PIN=1 keeps the database on a processor of its own.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
// Single credits wait for the disk, whose moods last longer than a round: many short rounds tell more than few long ones.
const creditRounds = Number(process.env.BENCH_ROUNDS ?? 14);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const scale = Number(process.env.BENCH_SCALE ?? 1);
const CONNECTIONS = 16;
const accounts = 20_000 * scale;

const dataDir = resolve(process.env.BENCH_DIR ?? `data/bench-${process.pid}`);
mkdirSync(dataDir, { recursive: true });
const pg = await startOwnPostgres({ dataDir });
if (process.env.BENCH_PIN) pinApart(dataDir);
const db = connect(pg.ownerUrl, { timeZone: 'Asia/Shanghai', max: 1, patient: true });
const watching = connect(pg.ownerUrl, { timeZone: 'Asia/Shanghai', max: 1, patient: true });
await migrate(db);
await fill(db);

async function fill(database: Db): Promise<void> {
  await sql`insert into player ("nickName") select 'p' || g from generate_series(1, ${accounts}::int) g`.execute(
    database,
  );
  await sql`insert into account ("userId") select id from player order by id`.execute(database);
  const former = readFileSync(new URL('former-credit.sql', import.meta.url), 'utf8');
  await sql`${sql.raw(former)}`.execute(database);
  await sql`analyze`.execute(database);
}

/** A PostgreSQL whose database is the one that credits were first measured on: the program's before numbers of migrations grew. */
async function ofBefore() {
  const dataOfBefore = resolve(dataDir, 'before');
  const server = await startOwnPostgres({ dataDir: dataOfBefore });
  const database = connect(server.ownerUrl, { timeZone: 'Asia/Shanghai', max: 1, patient: true });
  const migrations = readMigrations(new URL('../server/db/migrations/', import.meta.url));
  await migrateTo(
    database,
    migrations.filter(({ name }) => name < '0080'),
  );
  await fill(database);
  await database.destroy();
  return { dataDir: dataOfBefore, url: server.ownerUrl, stop: () => server.stop() };
}

const scripted = (name: string, url: string) => () => {
  const script = fileURLToPath(new URL(name, import.meta.url));
  return pgbenchRate({ url, script, accounts, connections: CONNECTIONS, seconds });
};

const start = () => startProgram({ DATABASE_URL: pg.ownerUrl });
async function tokenOf({ origin }: Program): Promise<string> {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  return (await testClient(origin).call(login, { username, password })).envelope.data?.access_token ?? '';
}

/** Credits a second, all servers together, over as many connections as ever. */
async function credits(programs: readonly Program[], token: string): Promise<number> {
  const { method, url } = requestFor(addBalance, { id: '0' as unknown as number, balance: '1' });
  const rates = await Promise.all(
    programs.map(({ origin }) =>
      loadOnce({
        ...{ url: origin + url, method, body: '', seconds, keyed: true, spread: { from: '/0/', accounts } },
        headers: { authorization: `Bearer ${token}` },
        connections: CONNECTIONS / programs.length,
      }),
    ),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}

async function batch(): Promise<void> {
  const size = { entries: 100_000 * scale, accounts, largest: 5_000 * scale };
  const { bare, ours } = await compareBatches(db, { ...size, rounds });
  tell({
    ...{
      what: `${size.entries} entries over ${accounts} accounts, against bare SQL`,
      value: bare / ours,
      unit: 'of its rate',
    },
    ...{ goal: { least: 0.5 }, note: `${bare.toFixed(0)} ms and ${ours.toFixed(0)} ms` },
  });
}

/** What a kind of credits is counted by: processor time, and how many there were. */
class Costs {
  readonly #processes: Parameters<typeof spentOn>[0];
  readonly #spent = { asking: 0, server: 0, database: 0 };
  #credits = 0;

  constructor(of = dataDir, program?: Program) {
    const file = readFileSync(resolve(of, 'postgres/postmaster.pid'), 'utf8');
    this.#processes = { postmaster: Number.parseInt(file, 10), server: program?.process.pid ?? 0 };
  }

  readonly counted = (run: () => Promise<number>) => async (): Promise<number> => {
    const { done, spent } = await spentOn(this.#processes, run);
    for (const [who, ms] of Object.entries(spent)) this.#spent[who as keyof typeof spent] += ms;
    this.#credits += done * seconds;
    return done;
  };

  toString(): string {
    const each = Object.entries(this.#spent).map(
      ([who, ms]) => `${who} ${((ms / this.#credits) * 1_000).toFixed(0)}`,
    );
    return `us of processor time a credit: ${each.join(', ')}`;
  }
}

/** Each once a round, in turns, with what a credit of each takes of the processors. */
async function inTurns(kinds: Readonly<Record<string, { costs: Costs; run: () => Promise<number> }>>) {
  const counted = Object.entries(kinds).map(([kind, { costs, run }]) => [kind, costs.counted(run)] as const);
  const rates = await interleaved(Object.fromEntries(counted), creditRounds);
  for (const [kind, { costs }] of Object.entries(kinds)) console.log(`${kind}: ${costs}`);
  return (kind: string): number => rates[kind] ?? 0;
}

async function credit(): Promise<void> {
  const before = await ofBefore();
  const formerly = () => ({
    costs: new Costs(before.dataDir),
    run: scripted('former-credit.pgbench', before.url),
  });
  const ofNow = (name: string) => ({ costs: new Costs(), run: scripted(name, pg.ownerUrl) });
  // What pgbench writes is sealed and counted by nobody meanwhile; a server does that beside its own credits.
  const alone = await inTurns({
    former: formerly(),
    formerNow: ofNow('former-credit.pgbench'),
    oneTrip: ofNow('one-trip.pgbench'),
  });
  const program = await start();
  const token = await tokenOf(program);
  const signedIn = await inTurns({
    formerBeside: formerly(),
    ours: { costs: new Costs(dataDir, program), run: () => credits([program], token) },
  });
  await program.end('SIGTERM');
  await before.stop();
  const told = (what: string, rate: number, than: number, least?: number) =>
    tell({
      ...{ what, value: rate / than, unit: 'of its rate', goal: least ? { least } : undefined },
      note: `${rate.toFixed(0)}/s and ${than.toFixed(0)}/s`,
    });
  const [oneTrip, ours] = [alone('oneTrip'), signedIn('ours')];
  told('credits as one statement, against the transaction of before (pgbench)', oneTrip, alone('former'), 1);
  told(
    'credits signed in, with a key, gathered, against that transaction',
    ours,
    signedIn('formerBeside'),
    1.5,
  );
  told(
    'credits as one statement, against that transaction on the tables of now',
    oneTrip,
    alone('formerNow'),
  );
}

async function servers(): Promise<void> {
  const programs: Program[] = [];
  for (const count of [1, 2, 4]) {
    while (programs.length < count) programs.push(await start());
    const [first] = programs;
    const token = first ? await tokenOf(first) : '';
    const { result, waits } = await waitsDuring(watching, () => credits(programs, token));
    const looks = waits.reduce((sum, [, n]) => sum + n, 0);
    const top = waits.slice(0, 5).map(([wait, n]) => `${wait} ${Math.round((n / looks) * 100)} %`);
    tell({ what: `credits at ${count} servers`, value: result, unit: 'a second', note: top.join(', ') });
  }
  for (const program of programs) await program.end('SIGTERM');
}

const parts = { batch, credits: credit, servers };
for (const [name, run] of Object.entries(parts)) if ((process.env.BENCH_ONLY ?? name) === name) await run();
const proof = await proveLedger(db);
console.log(`${proof.rows} ledger rows, ${proof.broken} broken`);

await db.destroy();
await watching.destroy();
await pg.stop();
if (!process.env.BENCH_DIR) rmSync(dataDir, { recursive: true, force: true });
