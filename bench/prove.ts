import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connect, type Db } from '#server/db/database.ts';
import { prepareAsOwner } from '#server/db/prepare-schema.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { sealAll } from '#server/features/seals/seal-rows.ts';
import { seed } from '#server/features/seed.ts';
import { programEnvironment } from '#server/testing/program.ts';
import { testConfig } from '#server/testing/test-config.ts';
import { createVault } from '#server/vault.ts';

// `npm run bench:prove -- [rows] [rounds]`: how long it takes to seal and to prove a ledger of ten million rows, and what sealing costs whoever posts,
// with and without it by turns in one run.

const ROWS = Number(process.argv[2] ?? 10_000_000);
const PLAYERS = Math.max(100, Math.round(ROWS / 200));
const ROUNDS = Number(process.argv[3] ?? 10);
const ROUND_MS = 6_000;
const POSTERS = 4;
const timeZone = 'Asia/Shanghai';

const dataDir = mkdtempSync(join(tmpdir(), 'back-office-bench-prove-'));
const pg = await startEmbeddedPostgres({ dataDir });
const config = testConfig({ sampleData: false });
const vault = createVault(config.secret);
const owner = connect(pg.ownerUrl, { timeZone, max: 1, patient: true });
const db = connect(pg.url, { timeZone, max: POSTERS + 1, patient: true });

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const done = await work();
  console.log(
    `${what}: ${((performance.now() - began) / 1_000).toFixed(1)} s, load ${loadavg()[0]?.toFixed(1)}`,
  );
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

/** As the sealer's part does: every two seconds. */
async function withSealer(work: () => Promise<number>): Promise<number> {
  let over = false;
  const sealing = (async () => {
    while (!over) {
      await sealAll(db, vault);
      for (let waited = 0; waited < 20 && !over; waited++)
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  const done = await work();
  over = true;
  await sealing;
  return done;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

try {
  await prepareAsOwner(owner, db);
  await seed(db, config);
  await timed(`${ROWS} rows of ${PLAYERS} players built`, () => build(owner));
  await timed('sealed', () => sealAll(db, vault));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--max-semi-space-size=2', '--max-old-space-size=64', 'scripts/prove.ts'],
    {
      encoding: 'utf8',
      env: { ...process.env, ...programEnvironment, DATABASE_URL: pg.url },
    },
  );
  console.log(`${stdout}${stderr}load ${loadavg()[0]?.toFixed(1)}`);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await sealAll(db, vault);
    // Which goes first changes from round to round.
    const [first, second] = [round % 2 === 0, round % 2 === 1];
    const one = first ? await withSealer(() => postings(2 * round)) : await postings(2 * round);
    const two = second ? await withSealer(() => postings(2 * round + 1)) : await postings(2 * round + 1);
    const [sealed, plain] = first ? [one, two] : [two, one];
    ratios.push(sealed / plain);
    console.log(`posted in ${ROUND_MS / 1_000} s: ${plain} without sealing, ${sealed} with it`);
  }
  console.log(
    `with sealing ${(100 * median(ratios)).toFixed(1)} % of the postings without it (median), load ${loadavg()[0]?.toFixed(1)}`,
  );
} finally {
  await db.destroy();
  await owner.destroy();
  await pg.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
