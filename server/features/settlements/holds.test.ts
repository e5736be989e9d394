import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setParam } from '#server/testing/approving.ts';
import { buildBettors, buildPhase, buildSlips, recordResult } from '#server/testing/build-slips.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { endFinished, gatherNew } from './gathering.ts';
import { releaseHeld } from './holds.ts';
import { settleDue } from './settle.ts';
import { firstPace, readBounds, settleNext } from './settle-batch.ts';

let database: TestDatabase;
let db: TestDatabase['db'];
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database.drop());

const GATE = 4_711;

/** The server's role cannot look at what is held before the gate opens; its owner can. */
const shutGate = () =>
  database.owner.transaction().execute(async (tx) => {
    await sql`
      create function past_gate() returns boolean language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(${sql.lit(GATE)}); return true; end $$`.execute(tx);
    await sql`create policy gate on slip_hold using (past_gate())`.execute(tx);
    await sql`alter table slip_hold enable row level security`.execute(tx);
  });

const waitingLocks = async () => {
  const { rows } = await sql<{ kind: string }>`
    select locktype as kind from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(
    database.owner,
  );
  return rows.map(({ kind }) => kind);
};

it('a win that is let go while its settlement is being ended is paid', { retry: 0 }, async () => {
  const phase = await buildPhase(db);
  const [userId = 0] = await buildBettors(db, 1);
  const slips = await buildSlips(db, phase, [
    { userId, lines: [{ rules: 'first', selection: '9', unitStake: '20' }] },
  ]);
  await setParam(db, 'bet.holdPayoutAbove', '100');
  await recordResult(db, phase, '9,3,5,5,5');
  // Everything is done and held, and nobody has said so of the settlement yet.
  await gatherNew(db);
  expect(await settleNext(db, firstPace(), await readBounds(db))).toBe('ROW');
  const { rows } = await sql<{ id: number }>`
    select id from settlement where "gameId" = ${phase.gameId} and status = 'RUNNING'`.execute(db);
  const id = rows[0]?.id ?? 0;

  await shutGate();
  const opened = Promise.withResolvers<void>();
  const shut = Promise.withResolvers<void>();
  const keeper = database.owner.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(GATE)})`.execute(tx);
    shut.resolve();
    await opened.promise;
  });
  await shut.promise;
  const ending = endFinished(db);
  await expect.poll(waitingLocks, { interval: 5 }).toEqual(['advisory']);
  let isReleased = false;
  const releasing = database.owner
    .transaction()
    .execute((tx) => releaseHeld(tx, id))
    .finally(() => {
      isReleased = true;
    });
  await expect.poll(async () => isReleased || (await waitingLocks()).length > 1, { interval: 5 }).toBe(true);
  opened.resolve();
  await Promise.all([keeper, ending]);
  expect(await releasing).toBe(1);
  await settleDue(db);
  const { rows: told } = await sql`
    select s.status, s.payout, t.status as settlement, t.payout as sum from slip s, settlement t where s.id = ${slips[0]} and t.id = ${id}`.execute(
    db,
  );
  expect(told).toEqual([{ status: 'WON', payout: '195.80', settlement: 'DONE', sum: '195.80' }]);
});

it('what fails among others is tried alone, though another transaction has found so before', async () => {
  const pace = { size: 200 };
  const phase = await buildPhase(db);
  const [userId = 0] = await buildBettors(db, 1);
  const line = { rules: 'first', selection: '9', unitStake: '2' } as const;
  const [used, fine] = await buildSlips(db, phase, [
    { userId, lines: [line] },
    { userId, lines: [line] },
  ]);
  await sql`select from post_entries(array[${userId}]::bigint[], array['WIN'], array[1], array[${`B${used}`}], array[null])`.execute(
    db,
  );
  await recordResult(db, phase, '9,3,5,5,5');
  await gatherNew(db);
  const bounds = await readBounds(db);
  const trying = settleNext(db, pace, bounds);
  pace.size = 1;
  expect(await trying).toBe('SOME');
  while ((await settleNext(db, pace, bounds)) !== 'NOTHING');
  const { rows } =
    await sql`select id, status from slip where id = any(${[used, fine]}::bigint[]) order by id`.execute(db);
  expect(rows).toEqual([
    { id: used, status: 'HELD' },
    { id: fine, status: 'WON' },
  ]);
});
