import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { connect, type Db } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { settleDue, settlingConnections, settlingOpening } from '#server/features/settlements/settle.ts';
import { buildBettors, recordResult } from '#server/testing/build-slips.ts';
import { startProgram } from '#server/testing/program.ts';
import { tell } from './figures.ts';
import { median } from './measure.ts';
import { startOwnPostgres } from './own-postgres.ts';
import { buildCrowd, type Crowd, prepareRows, writeBare } from './settling-data.ts';

const RESULT = '7,3,5,5,5';
const SMALL = 1_000;

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};
/** A database that keeps the moment of each commit, by which it tells itself how long locks were held. */
async function startPostgres(dataDir: string) {
  await (await startOwnPostgres({ dataDir })).stop();
  appendFileSync(join(dataDir, 'postgres/postgresql.auto.conf'), 'track_commit_timestamp = on\n');
  return startOwnPostgres({ dataDir });
}

/** How long the transactions that settled slips of a phase ran, the longest and the median, in milliseconds: from their begin to their commit. */
async function heldBy(db: Db, { gameId }: Crowd) {
  const { rows } = await sql<{ most: number; middle: number; batches: number }>`
    select max(ms)::float8 as most, percentile_cont(0.5) within group (order by ms) as middle, count(*)::integer as batches from (
      select distinct extract(epoch from pg_xact_commit_timestamp(m.xmin) - m."createTime") * 1000 as ms, m.xmin::text
      from slip_settlement m join settlement t on t.id = m."settlementId" where t."gameId" = ${gameId}) as batch`.execute(
    db,
  );
  return rows[0] ?? { most: Number.NaN, middle: Number.NaN, batches: 0 };
}

/** A phase settled as a server does, and as the bare SQL would have it; the former first, since the rows of the latter follow from it. */
async function compare(db: Db, users: readonly number[], count: number) {
  const settled = await buildCrowd(db, users, count);
  await recordResult(db, settled, RESULT);
  const ours = await seconds(() => settleDue(db));
  const held = await heldBy(db, settled);
  const crowd = await buildCrowd(db, users, count);
  await prepareRows(db, settled, crowd);
  const bare = await seconds(() => writeBare(db));
  return { ours, bare, held };
}

/** From the commit of a record to that of the last slip of its phase, in milliseconds, by a server that finds the record by looking. */
async function latest(db: Db, users: readonly number[]): Promise<number> {
  const crowd = await buildCrowd(db, users, SMALL);
  await recordResult(db, crowd, RESULT);
  const { gameId } = crowd;
  for (;;) {
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from max(pg_xact_commit_timestamp(m.xmin)) - max(pg_xact_commit_timestamp(r.xmin))) * 1000)::float8 as ms
      from settlement t join slip_settlement m on m."settlementId" = t.id join draw_record r on r.id = t."recordId"
      where t."gameId" = ${gameId} and t.status = 'DONE' having count(*) = ${SMALL}`.execute(db);
    if (rows[0]) return rows[0].ms;
    await new Promise((done) => setTimeout(done, 50));
  }
}

/**
 * What settling 100,000 slips of 20,000 players costs, one of whom has 5,000, against the bare SQL that writes the same rows (goal 0.5);
 * for how long its transactions hold their locks (goal 250 ms); and when the last of 1,000 slips is settled after its record (goal 1 s).
 */
export async function settling({ scale, rounds }: { scale: number; rounds: number }): Promise<void> {
  const dataDir = resolve(process.env.BENCH_DIR ?? `data/bench-${process.pid}`);
  mkdirSync(dataDir, { recursive: true });
  const pg = await startPostgres(dataDir);
  const first = connect(pg.ownerUrl, { timeZone: 'Asia/Shanghai', max: 1, patient: true });
  await migrate(first);
  await first.destroy();
  const db = connect(pg.ownerUrl, {
    ...{ timeZone: 'Asia/Shanghai', max: settlingConnections, patient: true, opening: settlingOpening },
  });
  const count = Math.round(100_000 * scale);
  const users = await buildBettors(db, Math.round(20_000 * scale));
  const found: Awaited<ReturnType<typeof compare>>[] = [];
  for (let round = 0; round < rounds; round++) found.push(await compare(db, users, count));
  const ratio = median(found.map(({ ours, bare }) => bare / ours));
  const of = (value: (one: (typeof found)[number]) => number) =>
    found.map((one) => value(one).toFixed(1)).join(', ');
  tell({
    ...{
      what: `settling ${count} slips of ${users.length} players, against bare SQL`,
      value: ratio,
      unit: 'of its rate',
    },
    ...{ goal: { least: 0.5 }, note: `bare ${of(({ bare }) => bare)} s, ours ${of(({ ours }) => ours)} s` },
  });
  const most = Math.max(...found.map(({ held }) => held.most));
  tell({
    ...{ what: 'locks held while settling, at most', value: most, unit: 'ms', goal: { most: 250 } },
    note: `${of(({ held }) => held.middle)} ms as a rule, over ${of(({ held }) => held.batches)} transactions`,
  });
  const program = await startProgram({ DATABASE_URL: pg.ownerUrl });
  const waits: number[] = [];
  for (let round = 0; round < 5; round++) waits.push(await latest(db, users));
  await program.end('SIGTERM');
  tell({
    ...{
      what: `the last of ${SMALL} slips settled after the record, at most`,
      value: Math.max(...waits),
      unit: 'ms',
    },
    ...{ goal: { most: 1_000 }, note: `${waits.map((ms) => ms.toFixed(0)).join(', ')} ms` },
  });
  await db.destroy();
  await pg.stop();
  if (!process.env.BENCH_DIR) rmSync(dataDir, { recursive: true, force: true });
}
