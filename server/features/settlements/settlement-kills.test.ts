import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '#server/db/database.ts';
import { buildBettors, buildPhase, buildSlips, recordResult } from '#server/testing/build-slips.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';
import { settleDue } from './settle.ts';

const SLIPS = 1_200;
let database: TestDatabase;
let db: TestDatabase['db'];
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database.drop());

it('two workers whose connections are killed again and again settle every slip once', {
  retry: 0,
}, async () => {
  const phase = await buildPhase(db);
  const users = await buildBettors(db, 60);
  await buildSlips(
    db,
    phase,
    Array.from({ length: SLIPS }, (_, place) => ({
      userId: users[place % 3 === 0 ? 0 : place % users.length] ?? 0,
      lines: [{ rules: 'first' as const, selection: String(place % 10), unitStake: '2' }],
    })),
  );
  await recordResult(db, phase, '9,3,5,5,5');
  const workers = [0, 1].map(() =>
    connect(database.url, { timeZone: 'Asia/Shanghai', max: 1, applicationName: 'settling' }),
  );
  const isDone = async () => {
    const { rows } = await sql`select from settlement where status = 'DONE'`.execute(db);
    return rows.length > 0;
  };
  let failures = 0;
  const work = async (own: (typeof workers)[number]) => {
    while (!(await isDone()))
      await settleDue(own).catch(() => {
        failures++;
      });
  };
  const working = Promise.all(workers.map(work));
  let kills = 0;
  while (!(await isDone()) && kills < 12) {
    await sleep(40);
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'settling' and datname = current_database() and state <> 'idle' limit 1`.execute(
      db,
    );
    kills += rows.length;
  }
  await working;
  await Promise.all(workers.map((own) => own.destroy()));
  expect(await proveBets(db)).toEqual({ slips: SLIPS, broken: 0, breaks: [] });
  await expectProven(db);
  const { rows } = await sql`select slips, total from settlement`.execute(db);
  expect(rows).toEqual([{ slips: SLIPS, total: SLIPS }]);
  expect(kills === 0 || failures > 0).toBe(true);
});
