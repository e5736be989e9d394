import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connect } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { readGames, readLast, readSources, readStakes } from '#server/features/draw-desk/desk-games.ts';
import { readWaits } from '#server/features/draw-desk/desk-waits.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { startOwnPostgres } from './own-postgres.ts';

/*
 * What the draw desk reads, part by part, of ever more games: each with 500 phases behind it, 100 to come, and an open one with 500
 * numbers staked on; 100,000 words of sources beside. Medians of the rounds, sizes in turns within one run.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 15);
const SIZES = [20, 200];
const dataDir = mkdtempSync(join(tmpdir(), 'back-office-bench-'));
const pg = await startOwnPostgres({ dataDir, durable: false });
const db = connect(pg.ownerUrl, { timeZone: 'Asia/Shanghai', max: 8, patient: true });
await migrate(db);

for (let n = 0; n < Math.max(...SIZES); n += 1) await buildGame(db, { name: `游戏 ${n}`, status: false });
await sql`
  insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
  select id, (10000 + n)::text, now() + make_interval(mins => n - 1), now() + make_interval(mins => n), case when n < 1 then 'OPENED' else 'WAITTING' end
  from game, generate_series(-499, 100) as n`.execute(db);
await sql`
  insert into draw_record ("gameId", phase, result, "openTime")
  select "gameId", phase, '1,2,3,4,5', "endTime" from draw_plan where status = 'OPENED'`.execute(db);
await sql`
  insert into exposure select id, '10001', 1, 1, n::text, 10, 1, 97 from game, generate_series(1, 500) as n`.execute(
  db,
);
await sql`
  insert into exposure_delta select id, '10001', 1, 1, n::text, 10, 1, 97 from game, generate_series(1, 50) as n`.execute(
  db,
);
await sql`
  insert into draw_word ("gameId", phase, source, result, "openTime")
  select "gameId", phase, '来源', '1,2,3,4,5', "endTime" from draw_plan where status = 'OPENED'`.execute(db);
await sql`insert into spider ("gameId", name, "spiderServiceName") select id, '来源', 'JsonPathSpider' from game`.execute(
  db,
);
await sql`analyze`.execute(db);

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
const taken = new Map<string, number[]>();
async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const done = await work();
  taken.set(name, [...(taken.get(name) ?? []), performance.now() - began]);
  return done;
}
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const size of SIZES) {
    await sql`update game set status = id <= (select id from game order by id limit 1 offset ${size - 1})`.execute(
      db,
    );
    // The first round warms up.
    if (round === 0) taken.clear();
    const games = await timed(`${size} games: phases`, () => readGames(db, new Date()));
    if (games.length !== size) throw new Error(`${games.length} games instead of ${size}`);
    const ids = games.map(({ gameId }) => gameId);
    await timed(`${size} games: last results`, () => readLast(db, ids));
    await timed(`${size} games: stakes`, () => readStakes(db, games));
    await timed(`${size} games: sources`, () => readSources(db));
    await timed(`${size} games: what waits`, () => readWaits(db, { plans: true, records: true, bets: true }));
  }
}
for (const [name, times] of [...taken].toSorted()) console.log(`${name}: ${median(times).toFixed(1)} ms`);
console.log(`load ${loadavg()[0]?.toFixed(1)}`);
await db.destroy();
await pg.stop();
rmSync(dataDir, { recursive: true, force: true });
