import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Db } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { allowEarlyDraws, allowPromises } from '#server/testing/draw-permits.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { openAllDuePlans } from '../draw-plans/plan-life.ts';
import { keepResults } from './keep-results.ts';

const ours = fileURLToPath(new URL('../../db/migrations/', import.meta.url));
const LAST_BEFORE = '0079';

let database: TestDatabase;
let patient: Db;
let folder: string;
beforeAll(async () => {
  database = await testDatabase({ empty: true });
  patient = connect(database.ownerUrl, { timeZone: 'Asia/Shanghai', patient: true });
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  for (const name of readdirSync(ours).filter((each) => each < LAST_BEFORE))
    copyFileSync(join(ours, name), join(folder, name));
});
afterAll(async () => {
  await patient.destroy();
  await database.drop();
  rmSync(folder, { recursive: true });
});

it('a database of before, in which results were known while their phases could be bet on, publishes none of them', async () => {
  await migrate(patient, pathToFileURL(`${folder}/`));
  const { db } = database;
  const gameId = await buildGame(db, { phase: '1000' });
  await sql`
    insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
    select ${gameId}, phase, now() + start::interval, now() + start::interval + interval '5 minutes', status
    from (values ('1000', '-9 minutes', 'WAITTING'), ('1001', '-3 minutes', 'WAITTING'), ('1002', '2 minutes', 'WAITTING'),
      ('0999', '-15 minutes', 'OPENED')) as p (phase, start, status)`.execute(db);
  // Of 0999 the record was known early, too, but it was published long ago; of 1000 it came after the draw time.
  await sql`
    insert into draw_record ("gameId", phase, result, "openTime", "createTime", source, conflict)
    select ${gameId}, phase, '7,7,7', now(), now() + made::interval, '甲', true
    from (values ('0999', '-1 hour'), ('1000', '-1 minute'), ('1001', '-1 minute'), ('1002', '-1 hour')) as r (phase, made)`.execute(
    db,
  );
  await sql`insert into draw_claim ("recordId", source, result, "openTime")
    select id, '乙', '8,8,8', now() from draw_record`.execute(db);
  await sql`insert into draw_correction ("recordId", "operatorId", "userName", "oldResult", "newResult", reason)
    select id, 1, 'admin', '6,6,6', '7,7,7', '旧的更正' from draw_record`.execute(db);

  expect(await migrate(patient)).toContain('0080-draw-order.sql');

  const records = async () =>
    (await sql`select phase from draw_record where "gameId" = ${gameId} order by phase`.execute(db)).rows;
  expect(await records()).toEqual([{ phase: '0999' }, { phase: '1000' }]);
  const early = await sql`select phase, result, source, claims -> 0 ->> 'result' as said from early_record
    order by phase`.execute(db);
  const kept = { result: '7,7,7', source: '甲', said: '8,8,8' };
  expect(early.rows).toEqual([
    { phase: '1001', ...kept },
    { phase: '1002', ...kept },
  ]);
  await expect(sql`delete from early_record`.execute(db)).rejects.toThrow('append-only');
  // What a correction had replaced before can be chosen back.
  const replaced =
    await sql`select r.phase, c.source, c.result from draw_claim c join draw_record r on r.id = c."recordId"
    where c.result = '6,6,6' order by r.phase`.execute(db);
  expect(replaced.rows).toEqual([
    { phase: '0999', source: '甲', result: '6,6,6' },
    { phase: '1000', source: '甲', result: '6,6,6' },
  ]);
  const corrections = await sql<{ n: number }>`select count(*) as n from draw_correction`.execute(db);
  expect(corrections.rows[0]?.n).toBe(4);

  // Due or not, what was known before is no result of these phases any more; nor are they ever planned again.
  const later = new Date(Date.now() + 600_000);
  await allowEarlyDraws(db);
  await openAllDuePlans(db, later);
  const results = ['1001', '1002'].map((phase) => ({ phase, result: '7,7,7', openTime: null }));
  const judged = await db
    .transaction()
    .execute((tx) => keepResults(tx, { gameId, source: '甲', results, now: later }));
  expect(judged.map(({ outcome }) => outcome)).toEqual(['SPOILT', 'SPOILT']);
  const plans =
    await sql`select phase, status from draw_plan where "gameId" = ${gameId} order by phase`.execute(db);
  expect(plans.rows).toEqual([
    { phase: '0999', status: 'OPENED' },
    { phase: '1000', status: 'OPENED' },
    { phase: '1001', status: 'OPENING' },
    { phase: '1002', status: 'OPENING' },
  ]);
  expect(await records()).toHaveLength(2);
  await sql`delete from draw_plan where phase = '1002'`.execute(db);
  const again = sql`insert into draw_plan ("gameId", phase, "startTime", "endTime") values (${gameId}, '1002', now(), now())`;
  await expect(again.execute(db)).rejects.toMatchObject({ code: 'DR001' });

  // A promise is a result nobody could have known: it is kept.
  await allowPromises(db, gameId);
  await sql`insert into draw_commitment ("gameId", phase, rules, commitment, seed) values (${gameId}, '1001', '{}', '', '')`.execute(
    db,
  );
  const drawn = sql`insert into draw_record ("gameId", phase, result, "openTime", seed) values (${gameId}, '1001', '1', now(), 'x')`;
  await drawn.execute(db);
  expect(await records()).toHaveLength(3);
});
