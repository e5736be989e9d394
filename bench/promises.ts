import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { loadConfig } from '#server/config.ts';
import { openConnections } from '#server/db/connections.ts';
import { connect } from '#server/db/database.ts';
import { startDatabaseClock } from '#server/db/database-clock.ts';
import { migrate } from '#server/db/migrate.ts';
import { drawPromised } from '#server/features/draw-plans/local-draws.ts';
import { openAllDuePlans } from '#server/features/draw-plans/plan-life.ts';
import { promisePlans } from '#server/features/draw-plans/promise-plans.ts';
import { planLife } from '#server/jobs/plan-life.ts';
import { startJobs } from '#server/jobs/start.ts';
import { processMetrics } from '#server/process-metrics.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { allowEarlyDraws } from '#server/testing/draw-permits.ts';
import { createVault } from '#server/vault.ts';
import { tell } from './figures.ts';
import { startOwnPostgres } from './own-postgres.ts';

// Some minutes of a server's real background work with many games of one-minute draws: how late draws are while promises are
// made beside them. Then what each step costs in a minute: opening, drawing and promising, and a look with nothing to do.

const GAMES = Number(process.env.GAMES ?? 500);
const MINUTES = Number(process.env.MINUTES ?? 5);
/** Real ones. */
const LIVE_MINUTES = Number(process.env.LIVE_MINUTES ?? 2);
const OPTIONS = '{"count":5,"pool":["0","1","2","3","4","5","6","7","8","9"],"repeat":true}';

const dataDir = mkdtempSync(join(tmpdir(), 'back-office-promises-'));
await (await startOwnPostgres({ dataDir })).stop();
// When a draw was there for others to see is when its transaction was committed.
appendFileSync(join(dataDir, 'postgres', 'postgresql.auto.conf'), 'track_commit_timestamp = on\n');
const server = await startOwnPostgres({ dataDir });
const db = connect(server.ownerUrl, { timeZone: 'Asia/Shanghai', max: 4, patient: true });
const vault = createVault(Buffer.alloc(32, 'bench'));

/** A day of plans of a minute for every game, as an evening leaves them. */
async function fillPlans(startSeconds: number): Promise<void> {
  await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime")
    select id, (1000 + n)::text, t, t + interval '1 minute' from game, generate_series(0, 1439) as n,
      lateral (select to_timestamp(${startSeconds}) + n * interval '1 minute' as t) as slot`.execute(db);
  await sql`analyze draw_plan`.execute(db);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** What the parts of the background work have spent so far, in seconds. */
async function spent(): Promise<Record<string, number>> {
  const text = await processMetrics.getSingleMetricAsString('background_run_seconds');
  const sums = text.matchAll(/^background_run_seconds_sum\{part="([^"]+)"\} (.+)$/gm);
  return Object.fromEntries([...sums].map(([, part = '', seconds]) => [part, Number(seconds)]));
}

/** Lets a server live for so many whole minutes, from the plans as they are at the next one. */
async function live(minutes: number): Promise<void> {
  const config = loadConfig({
    DATABASE_URL: server.ownerUrl,
    APP_SECRET: Buffer.alloc(32, 'bench').toString('base64'),
  });
  const connections = openConnections(server.ownerUrl, { timeZone: config.timeZone });
  const clock = await startDatabaseClock(connections.health);
  const log = { info: () => {}, warn: console.warn, error: console.error };
  const jobs = startJobs({ connections, config, log, clock }, planLife());
  // What the steps above left over is done first.
  await sleep(60_000 - (Date.now() % 60_000) + 30_000);
  const before = await spent();
  const from = Date.now() / 1_000;
  await sleep(minutes * 60_000);
  const after = await spent();
  const { rows } = await sql<Record<string, number>>`
    with drawn as (
      select p."endTime", pg_xact_commit_timestamp(r.xmin) as at, r."createTime" as began
      from draw_record r join draw_plan p on p."gameId" = r."gameId" and p.phase = r.phase where p."endTime" > to_timestamp(${from})
    ), drawing as (select "endTime" as began, max(at) as ended from drawn group by 1)
    select count(*) as draws, percentile_cont(0.5) within group (order by extract(epoch from at - "endTime")) as "medianSeconds",
      max(extract(epoch from at - "endTime"))::float8 as "slowestSeconds",
      (select count(*) from draw_commitment where "createTime" > to_timestamp(${from})) as promises,
      (select count(*) from draw_commitment c join drawing d on c."createTime" between d.began and d.ended
        where c."createTime" > to_timestamp(${from})) as "promisesBesideDraws"
    from drawn`.execute(db);
  const perMinute = Object.fromEntries(
    Object.entries(after).map(([part, seconds]) => [part, (seconds - (before[part] ?? 0)) / minutes]),
  );
  console.log(`${GAMES} games, ${minutes} real minutes:`, rows[0], 'seconds a minute:', perMinute);
  const { slowestSeconds = Number.NaN, promisesBesideDraws = Number.NaN, promises = 0 } = rows[0] ?? {};
  const of = `${GAMES} games of one-minute draws`;
  tell({
    ...{ what: `${of}: promising`, value: perMinute['draw-promises'] ?? Number.NaN, unit: 's a minute' },
    ...{ goal: { most: 0.5 }, note: `${promises} promises, load ${loadavg()[0]?.toFixed(1)}` },
  });
  tell({ what: `${of}: the latest draw`, value: slowestSeconds, unit: 's late' });
  tell({
    ...{ what: `${of}: promises beside a due draw`, value: promisesBesideDraws, unit: '' },
    goal: { most: 0 },
  });
  await jobs.stop();
  clock.stop();
  await connections.destroy();
}

try {
  await migrate(db);
  for (let n = 0; n < GAMES; n++) {
    const gameId = await buildGame(db, { openRate: 60 });
    await sql`insert into spider ("gameId", name, "spiderServiceName", options)
      values (${gameId}, '本地', 'LocalDrawSpider', ${OPTIONS})`.execute(db);
  }
  const thisMinute = () => Math.floor(Date.now() / 60_000) * 60;
  await fillPlans(thisMinute());
  if (LIVE_MINUTES > 0) await live(LIVE_MINUTES);
  // What lies between is left undone: the steps go on from the next minute, by a clock of their own.
  await allowEarlyDraws(db);
  const start = (thisMinute() + 60) * 1_000;
  for (let minute = 0; minute <= MINUTES; minute++) {
    const now = new Date(start + minute * 60_000);
    const promiseAll = async () => {
      while ((await promisePlans(db, vault, now)).count > 0);
    };
    const times = {
      open: await timed(() => openAllDuePlans(db, now)),
      draw: await timed(async () => {
        while ((await drawPromised(db, vault, now)).count > 0);
      }),
      promise: await timed(promiseAll),
      nothingToPromise: await timed(promiseAll),
    };
    console.log(`${GAMES} games, minute ${minute}:`, times);
    if (minute === 0)
      tell({
        what: `${GAMES} games: the first minute's promises at once`,
        value: times.promise / 1_000,
        unit: 's',
      });
  }
} finally {
  await db.destroy();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
