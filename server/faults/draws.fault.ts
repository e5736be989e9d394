import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Db } from '#server/db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { generatePlans } from '#server/features/draw-plans/generate.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { startProgram } from '#server/testing/program.ts';

const ZONE = 'Asia/Shanghai';
const MINUTES = Number(process.env.FAULT_MINUTES ?? 2);
const KILL_EVERY_MS = 5_000;

let dataDir: string;
let postgres: EmbeddedPostgres;
let db: Db;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'back-office-draws-'));
  postgres = await startEmbeddedPostgres({ dataDir });
  db = connect(postgres.url, { timeZone: ZONE, max: 4 });
});
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const startServer = () => startProgram({ DATABASE_URL: postgres.url });

it('a game of one draw a second on two servers, one killed every 5 s: each phase drawn once, none skipped, taken over within 5 s', {
  timeout: (MINUTES * 60 + 120) * 1_000,
}, async () => {
  const servers = [await startServer(), await startServer()];
  const gameId = await buildGame(db, { openRate: 1 });
  const options = '{"count":5,"pool":["0","1","2","3","4","5","6","7","8","9"],"repeat":true}';
  await sql`insert into spider ("gameId", name, "spiderServiceName", options)
    values (${gameId}, '本地', 'LocalDrawSpider', ${options})`.execute(db);
  const now = new Date();
  const from = Math.floor(now.getTime() / 1000) + 5;
  const window = { from, to: from + MINUTES * 60 };
  await db.transaction().execute((tx) => generatePlans(tx, { gameId, window, now, timeZone: ZONE }));

  for (let round = 0; Date.now() < window.to * 1_000; round++) {
    const victim = round % servers.length;
    await servers[victim]?.end('SIGKILL');
    const began = Date.now();
    servers[victim] = await startServer();
    await sleep(Math.max(0, KILL_EVERY_MS - (Date.now() - began)));
  }
  await sleep(5_000);
  await Promise.all(servers.map((server) => server.end('SIGKILL')));

  const { rows } = await sql<{
    plans: number;
    opened: number;
    records: number;
    phases: number;
    promised: number;
    lag: number;
  }>`
    select count(*) as plans, count(*) filter (where p.status = 'OPENED') as opened, count(r.id) as records,
      (max(p.phase::bigint) - min(p.phase::bigint) + 1) as phases,
      count(*) filter (where c."createTime" <= p."startTime") as promised,
      max(extract(epoch from r."createTime" - p."endTime"))::float8 as lag
    from draw_plan p left join draw_record r on r."gameId" = p."gameId" and r.phase = p.phase
      left join draw_commitment c on c."gameId" = p."gameId" and c.phase = p.phase
    where p."gameId" = ${gameId}`.execute(db);
  const total = MINUTES * 60;
  console.log('draws under kills:', rows[0]);
  expect(rows[0]).toMatchObject({
    plans: total,
    opened: total,
    records: total,
    phases: total,
    promised: total,
  });
  expect(rows[0]?.lag).toBeLessThan(5);
});
