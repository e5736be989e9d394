import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { connect } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';
import { drawPromised } from '#server/features/draw-plans/local-draws.ts';
import { openAllDuePlans } from '#server/features/draw-plans/plan-life.ts';
import { promisePlans } from '#server/features/draw-plans/promise-plans.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { createVault } from '#server/vault.ts';

// What games of one-minute draws cost a server each minute: opening, drawing and promising, and a look with nothing to do.

const GAMES = Number(process.env.GAMES ?? 500);
const MINUTES = Number(process.env.MINUTES ?? 5);
const OPTIONS = '{"count":5,"pool":["0","1","2","3","4","5","6","7","8","9"],"repeat":true}';

const dataDir = mkdtempSync(join(tmpdir(), 'back-office-promises-'));
const server = await startEmbeddedPostgres({ dataDir });
const db = connect(server.url, { timeZone: 'Asia/Shanghai', max: 4, patient: true });
const vault = createVault(Buffer.alloc(32, 'bench'));

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

try {
  await migrate(db);
  for (let n = 0; n < GAMES; n++) {
    const gameId = await buildGame(db, { openRate: 60 });
    await sql`insert into spider ("gameId", name, "spiderServiceName", options)
      values (${gameId}, '本地', 'LocalDrawSpider', ${OPTIONS})`.execute(db);
  }
  // A day of plans each, as an evening leaves them.
  const { rows } = await sql<{ start: number }>`
    select extract(epoch from date_trunc('minute', now()))::float8 as start`.execute(db);
  const start = (rows[0]?.start ?? 0) * 1_000;
  await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime")
    select id, (1000 + n)::text, t, t + interval '1 minute' from game, generate_series(0, 1439) as n,
      lateral (select to_timestamp(${start / 1_000}) + n * interval '1 minute' as t) as slot`.execute(db);
  await sql`analyze draw_plan`.execute(db);
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
  }
} finally {
  await db.destroy();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
