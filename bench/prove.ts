import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connect, type Db } from '#server/db/database.ts';
import { prepareAsOwner } from '#server/db/prepare-schema.ts';
import { sealAll } from '#server/features/seals/seal-rows.ts';
import { seed } from '#server/features/seed.ts';
import { programEnvironment } from '#server/testing/program.ts';
import { testConfig } from '#server/testing/test-config.ts';
import { createVault } from '#server/vault.ts';
import { cpuOf } from './cpu-time.ts';
import { type Figure, tell } from './figures.ts';
import { type Median, medianOf } from './median.ts';
import { startOwnPostgres } from './own-postgres.ts';

// `npm run bench:prove` (BENCH_SCALE, BENCH_ROUNDS): how long it takes to seal and to prove a ledger of ten million rows, and what sealing costs whoever posts,
// with and without it by turns in one run: in CPU time of PostgreSQL and of this process for each posting, which others on the machine hardly touch,
// and in postings within the same time.

const ROWS = Math.round(10_000_000 * Number(process.env.BENCH_SCALE ?? 1));
const PLAYERS = Math.max(100, Math.round(ROWS / 200));
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40);
/** As long as the sealer's part waits between its turns. */
const ROUND_MS = 2_000;
const POSTERS = 4;
const timeZone = 'Asia/Shanghai';

const dataDir = mkdtempSync(join(tmpdir(), 'back-office-bench-prove-'));
const pg = await startOwnPostgres({ dataDir });
const config = testConfig({ sampleData: false });
const vault = createVault(config.secret);
const owner = connect(pg.ownerUrl, { timeZone, max: 1, patient: true });
const db = connect(pg.url, { timeZone, max: POSTERS + 1, patient: true });

async function timed<T>(what: string, work: () => T | Promise<T>, goal?: Figure['goal']): Promise<T> {
  const began = performance.now();
  const done = await work();
  const value = (performance.now() - began) / 1_000;
  tell({ what, value, unit: 's', goal, note: `load ${loadavg()[0]?.toFixed(1)}` });
  return done;
}

/** Rows as a platform has them, players by turns; the hashes are no chain, which the proof of seals does not ask for. */
async function build(to: Db): Promise<void> {
  await sql`insert into player ("nickName") select 'n' || g from generate_series(1, ${PLAYERS}::int) g`.execute(
    to,
  );
  await sql`insert into account ("userId") select id from player`.execute(to);
  const indexes = ['account_history_type', 'account_history_type_time', 'account_history_biz'];
  const { rows } = await sql<{ text: string }>`
    select pg_get_indexdef(to_regclass(name)) as text from unnest(${indexes}::text[]) as name`.execute(to);
  for (const name of indexes) await sql`drop index ${sql.id(name)}`.execute(to);
  await sql`alter table account_history disable trigger all`
    .execute(to)
    .catch(() => sql`alter table account_history disable trigger user`.execute(to));
  const step = 1_000_000;
  for (let from = 0; from < ROWS; from += step)
    await sql`insert into account_history ("userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", "bizOrderNo", "desc", "createTime", hash)
      select p.low + n % ${PLAYERS}::int, 1 + n / ${PLAYERS}::int, 12.3400 * (n / ${PLAYERS}::int), 12.3400, 12.3400 * (1 + n / ${PLAYERS}::int), 'IN', 'WIN', 'B' || n,
        '期号 20260101-' || n % 1440, timestamptz '2026-01-01' + n * interval '1 second', sha256(int4send(n))
      from generate_series(${from}::int, ${Math.min(from + step, ROWS) - 1}::int) n, (select min(id) as low from player) as p`.execute(
      to,
    );
  await sql`update account a set "lastSeq" = h."accountSeq", "lastHash" = h.hash, "totalAmount" = h."newAmount", "availableAmount" = h."newAmount"
    from player p, lateral (select * from account_history h where h."userId" = p.id order by "accountSeq" desc limit 1) h where a."userId" = p.id`.execute(
    to,
  );
  await sql`alter table account_history enable trigger user`.execute(to);
  for (const { text } of rows) await sql.raw(text).execute(to);
}

/** Entries posted one by one by several at once, a round long. */
async function postings(round: number): Promise<number> {
  const until = performance.now() + ROUND_MS;
  const { rows } = await sql<{ low: number }>`select min(id) as low from player`.execute(db);
  const counts = Array.from({ length: POSTERS }, async (_, poster) => {
    let posted = 0;
    for (; performance.now() < until; posted++) {
      const user = (rows[0]?.low ?? 1) + ((posted * POSTERS + poster) % PLAYERS);
      await sql`select from post_entries(array[${user}]::bigint[], array['RECHARGE'], array[1.5]::numeric[],
        array[${`w${round}-${poster}-${posted}`}], array[null]::text[])`.execute(db);
    }
    return posted;
  });
  return (await Promise.all(counts)).reduce((sum, n) => sum + n, 0);
}

/** As the sealer's part does: every two seconds; what is left at the end belongs to the work too. */
async function withSealer(work: () => Promise<number>): Promise<number> {
  let over = false;
  const sealing = (async () => {
    while (!over) {
      for (let waited = 0; waited < 20 && !over; waited++)
        await new Promise((resolve) => setTimeout(resolve, 100));
      await sealAll(db, vault);
    }
  })();
  const done = await work();
  over = true;
  await sealing;
  return done;
}

interface Round {
  readonly posted: number;
  /** CPU time of a posting, in microseconds, with what was sealed beside it. */
  readonly cost: number;
  /** CPU time of sealing what was left unsealed, by itself, in microseconds a posting. */
  readonly after: number;
}

const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

async function round(number: number, sealed: boolean): Promise<Round> {
  const work = () => postings(number);
  const { done: posted, cpu } = await cpuOf(postmaster, () => (sealed ? withSealer(work) : work()));
  // What was not sealed is no work of the next round.
  const rest = await cpuOf(postmaster, () => sealAll(db, vault));
  return { posted, cost: (1_000 * cpu) / posted, after: (1_000 * rest.cpu) / posted };
}

const percent = ({ median, low, high }: Median): string =>
  `${(100 * median).toFixed(1)} % (95 %: ${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;

/** Rounds by turns; which of a pair goes first changes from pair to pair. */
async function compare(): Promise<void> {
  const pairs: { plain: Round; sealed: Round }[] = [];
  for (let pair = 0; pair < ROUNDS; pair++) {
    const sealedFirst = pair % 2 === 0;
    const one = await round(2 * pair, sealedFirst);
    const two = await round(2 * pair + 1, !sealedFirst);
    pairs.push(sealedFirst ? { sealed: one, plain: two } : { sealed: two, plain: one });
  }
  const costs = (which: 'plain' | 'sealed') =>
    medianOf(pairs.map((pair) => pair[which].cost)).median.toFixed(0);
  const alone = medianOf(pairs.map(({ plain }) => plain.after / plain.cost));
  const turns = medianOf(pairs.map(({ plain }) => plain.after)).median.toFixed(0);
  const extra = medianOf(pairs.map(({ plain, sealed }) => sealed.cost / plain.cost - 1));
  const rate = medianOf(pairs.map(({ plain, sealed }) => sealed.posted / plain.posted));
  const all = pairs.reduce((sum, { plain, sealed }) => sum + plain.posted + sealed.posted, 0);
  console.log(
    `${ROUNDS} pairs of rounds, ${all} postings, load ${loadavg()[0]?.toFixed(1)}:\n` +
      `  CPU of a posting ${costs('plain')} µs without sealing, ${costs('sealed')} µs with it: ${percent(extra)} more\n` +
      `  sealing by itself what was posted in ${ROUND_MS / 1_000} s takes ${turns} µs of CPU a posting: ${percent(alone)}\n` +
      `  with sealing ${percent(rate)} of the postings without it in the same time`,
  );
  tell({
    ...{
      what: 'CPU time of a posting beside sealing, against one without',
      value: 1 + extra.median,
      unit: '',
    },
    ...{ goal: { most: 1.05 }, note: `load ${loadavg()[0]?.toFixed(1)}` },
  });
}

try {
  await prepareAsOwner(owner, db);
  await seed(db, config);
  await timed(`${ROWS} rows of ${PLAYERS} players built`, () => build(owner));
  await timed(`${ROWS} rows sealed`, () => sealAll(db, vault));
  const proving = ['--max-semi-space-size=2', '--max-old-space-size=64', 'scripts/prove.ts'];
  const env = { ...process.env, ...programEnvironment, DATABASE_URL: pg.url };
  const { status, stdout, stderr } = await timed(
    `${ROWS} rows proven`,
    () => spawnSync(process.execPath, proving, { encoding: 'utf8', env }),
    // Told for ten million.
    ROWS === 10_000_000 ? { most: 120 } : undefined,
  );
  console.log(`${stdout}${stderr}`);
  if (status !== 0) throw new Error(`the proof ended with ${status}`);
  await sealAll(db, vault);
  await compare();
} finally {
  await db.destroy();
  await owner.destroy();
  await pg.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
