import { mkdirSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { connect } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { foldReport } from '#server/features/reports/fold-report.ts';
import { pageReport } from '#server/features/reports/report-store.ts';
import { tell } from './figures.ts';
import { interleaved } from './measure.ts';
import { startOwnPostgres } from './own-postgres.ts';

/*
 * A year's report by day against its first page (goal 2): 5,840,000 slips in counters of 1,460,000 players' days, games and play ways, and some that are not
 * folded yet. BENCH_SCALE=0.1 builds a tenth, BENCH_ROUNDS makes it shorter, BENCH_DIR keeps the data.
 */
const scale = Number(process.env.BENCH_SCALE ?? 1);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const PLAYERS = Math.max(100, Math.round(20_000 * scale));
const A_DAY = Math.max(10, Math.round(1_000 * scale));
const FIRST = '2025-01-01';
const LAST = '2025-12-31';

const dataDir = resolve(process.env.BENCH_DIR ?? `data/bench-${process.pid}`);
mkdirSync(dataDir, { recursive: true });
const pg = await startOwnPostgres({ dataDir });
const db = connect(pg.ownerUrl, { timeZone: 'Asia/Shanghai', max: 4, patient: true });
await migrate(db);

/** What players of one day play: four of twenty play ways of ten games each, four slips on each. */
const appendDay = (day: number) => sql`
  insert into report_delta (day, "userId", "gameId", "playWayId", agents, slips, "waySlips", stake, payout, refund)
  select ${FIRST}::date + ${day}::integer, u.id, g.game, g.game * 100 + (u.id + g.place) % 20, array[0, 1 + u.id % 50], 4, 4, 40, 38.0002, 0
  from (select 1 + (n * 7919 + ${day}::integer * 104729) % ${PLAYERS}::integer as id from generate_series(1, ${A_DAY}::integer) n) as u,
    lateral (select 1 + (u.id * 3 + place * 7) % 10 as game, place from generate_series(0, 3) as place) as g`;

const began = performance.now();
for (let day = 0; day < 365; day++) {
  await appendDay(day).execute(db);
  await foldReport(db);
  if (day % 73 === 72) console.log(`${day + 1} days, ${((performance.now() - began) / 1000).toFixed(0)} s`);
}
await sql`vacuum analyze report_delta, report_player, report_sum, report_return`.execute(db);
await appendDay(364).execute(db);

const year: [string, string] = [FIRST, LAST];
const asked = {
  'first page of the year': { groupBy: 'DAY', currentPage: 1, pageSize: 20, range: year },
  'whole year by day': { groupBy: 'DAY', currentPage: 1, pageSize: 400, range: year },
  'one day by game': { groupBy: 'GAME', currentPage: 1, pageSize: 20, range: [LAST, LAST] },
  'year by game': { groupBy: 'GAME', currentPage: 1, pageSize: 20, range: year },
  'year by play way': { groupBy: 'PLAY_WAY', currentPage: 1, pageSize: 20, range: year },
  'year by agent': { groupBy: 'AGENT', currentPage: 1, pageSize: 20, range: year },
  'one day by player': { groupBy: 'USER', currentPage: 1, pageSize: 20, range: [LAST, LAST] },
  'one player, year by day': { groupBy: 'DAY', currentPage: 1, pageSize: 400, range: year, userId: 7 },
} satisfies Record<string, Parameters<typeof pageReport>[1]>;

const exact = await sql<{ players: number; slips: number; stake: string }>`
  select count(distinct "userId") as players, sum(slips)::bigint as slips, as_money(sum(stake)) as stake from (
    select "userId", slips, stake from report_player where level = 0
    union all select "userId", slips, stake from report_delta) as part`.execute(db);
const { totals, totalCount } = await pageReport(db, asked['whole year by day']);
const { players, slips, stake } = totals;
if (JSON.stringify({ players, slips, stake }) !== JSON.stringify(exact.rows[0]) || totalCount !== 365)
  throw new Error(
    `not exact: ${JSON.stringify({ players, slips, stake })}, ${JSON.stringify(exact.rows[0])}`,
  );
console.log(`exact over ${totalCount} days: ${players} players, ${slips} slips, ${stake}`);

const ms = await interleaved(
  Object.fromEntries(
    Object.entries(asked).map(([name, filter]) => [
      name,
      async () => {
        const start = performance.now();
        for (let times = 0; times < 5; times++) await pageReport(db, filter);
        return (performance.now() - start) / 5;
      },
    ]),
  ),
  rounds,
);
for (const [name, each] of Object.entries(ms)) console.log(`${name}: ${each.toFixed(1)} ms`);
const ratio = (ms['whole year by day'] ?? Number.NaN) / (ms['first page of the year'] ?? Number.NaN);
tell({
  ...{
    what: 'the report of a year by day, against its first page',
    value: ratio,
    unit: 'times',
    goal: { most: 2 },
  },
  note: `load ${loadavg()[0]?.toFixed(1)}`,
});

await db.destroy();
await pg.stop();
if (!process.env.BENCH_DIR) rmSync(dataDir, { recursive: true, force: true });
