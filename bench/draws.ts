import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import postgres from 'postgres';
import { foldCounts } from '#server/db/counted-list.ts';
import { connect, type Db } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';
import { pageDrawPlans } from '#server/features/draw-plans/draw-plan-store.ts';
import { generatePlans } from '#server/features/draw-plans/generate.ts';
import { addDays, dayOf, dayStart } from '#server/features/draw-plans/platform-days.ts';
import { pageDrawRecords } from '#server/features/draw-records/draw-record-store.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { median } from './measure.ts';

const ZONE = 'Asia/Shanghai';
const GAMES = 100;
const ROWS = Number(process.env.ROWS ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 15);

/** Past plans and their records, a minute apart, all games side by side. */
async function fill(db: Db, games: readonly number[]): Promise<void> {
  const each = Math.floor(ROWS / games.length);
  for (let first = 0; first < each; first += 500) {
    const moments = sql`from unnest(${[...games]}::bigint[]) as g, generate_series(${first}::int, ${Math.min(each, first + 500) - 1}::int) as n`;
    const at = sql`date_trunc('day', now()) - interval '1 minute' * (${each} - n)`;
    await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
      select g, n::text, ${at}, ${at} + interval '1 minute', 'OPENED' ${moments} order by n, g`.execute(db);
    await sql`insert into draw_record ("gameId", phase, result, "openTime", source)
      select g, n::text, '1,2,3,4,5', ${at} + interval '1 minute', 'x' ${moments} order by n, g`.execute(db);
  }
  while (await foldCounts(db));
  await sql`vacuum analyze`.execute(db);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  await work();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(work));
  return median(times);
}

async function lists(db: Db, gameId: number): Promise<void> {
  const last = Math.floor(ROWS / 20);
  const today = dayOf(Date.now() / 1000, ZONE);
  const days: [string, string] = [`${addDays(today, -3)} 00:00:00`, `${addDays(today, -1)} 23:59:59`];
  const first = { currentPage: 1, pageSize: 20 };
  const cases = {
    'first page': first,
    'deep last page': { currentPage: last, pageSize: 20 },
    'one game': { ...first, gameId },
  };
  for (const [name, filter] of Object.entries(cases)) {
    const plans = await medianOf(() => pageDrawPlans(db, filter));
    const records = await medianOf(() => pageDrawRecords(db, filter));
    console.log(`${name}: plans ${plans.toFixed(1)} ms, records ${records.toFixed(1)} ms`);
  }
  const byStatus = await medianOf(() => pageDrawPlans(db, { ...first, status: 'OPENED' }));
  const byPlanDays = await medianOf(() => pageDrawPlans(db, { ...first, startTimeRange: days }));
  const byRecordDays = await medianOf(() => pageDrawRecords(db, { ...first, openTimeRange: days }));
  const byPhase = await medianOf(() => pageDrawRecords(db, { ...first, phase: '77' }));
  console.log(
    `status ${byStatus.toFixed(1)} ms; three days: plans ${byPlanDays.toFixed(1)} ms, records ${byRecordDays.toFixed(1)} ms; phase ${byPhase.toFixed(1)} ms`,
  );
}

/** A day of 1,440 plans of each game, generated and, for other games, copied in bare; in turns. */
async function generation(db: Db, url: string): Promise<void> {
  const raw = postgres(url, { max: 1 });
  const now = new Date();
  const day = addDays(dayOf(now.getTime() / 1000, ZONE), 1);
  const from = dayStart(day, ZONE);
  const window = { from, to: from + 86_400 };
  const times = { generated: 0, copied: 0 };
  for (let n = 0; n < GAMES; n++) {
    const [ours, bare] = [await buildGame(db, { openRate: 60 }), await buildGame(db, { openRate: 60 })];
    times.generated += await timed(() =>
      db.transaction().execute((tx) => generatePlans(tx, { gameId: ours, window, now, timeZone: ZONE })),
    );
    const iso = (minute: number) => new Date((from + minute * 60) * 1000).toISOString();
    const rows = Array.from(
      { length: 1_440 },
      (_, i) => `${bare}\t${1000 + i}\t${iso(i)}\t${iso(i + 1)}\n`,
    ).join('');
    times.copied += await timed(async () => {
      const stream =
        await raw`copy draw_plan ("gameId", phase, "startTime", "endTime") from stdin`.writable();
      await new Promise<void>((resolve, reject) =>
        stream.on('finish', resolve).on('error', reject).end(rows),
      );
    });
  }
  await raw.end();
  const { generated, copied } = times;
  console.log(
    `1,440 plans x ${GAMES} games: generated ${generated.toFixed(0)} ms, bare COPY ${copied.toFixed(0)} ms, ratio ${(generated / copied).toFixed(2)}`,
  );
}

const dataDir = mkdtempSync(join(tmpdir(), 'back-office-bench-'));
const server = await startEmbeddedPostgres({ dataDir });
const db = connect(server.url, { timeZone: ZONE, patient: true, max: 2 });
try {
  await migrate(db);
  const games: number[] = [];
  while (games.length < GAMES) games.push(await buildGame(db));
  console.log(`filled in ${((await timed(() => fill(db, games))) / 1000).toFixed(0)} s`);
  await lists(db, games[0] ?? 0);
  await generation(db, server.url);
} finally {
  await db.destroy();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
