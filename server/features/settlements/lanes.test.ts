import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildBettors, buildPhase, buildSlips, recordResult } from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';
import { takeWork, writeChanges } from './batch-rows.ts';
import { decideSlips } from './decide-slips.ts';
import { endFinished, gatherNew } from './gathering.ts';
import { lockSlips } from './open-slips.ts';
import { settleDue, settlingOpening } from './settle.ts';
import { firstPace, readBounds, settleNext } from './settle-batch.ts';
import { pageSettlements } from './settlement-store.ts';

const SLIPS = 1_100;
let database: TestDatabase;
let db: TestDatabase['db'];
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database.drop());

async function drawnPhase() {
  const phase = await buildPhase(db);
  const users = await buildBettors(db, 11);
  const slips = Array.from({ length: SLIPS }, (_, place) => ({
    userId: users[place % users.length] ?? 0,
    lines: [{ rules: 'first' as const, selection: String(place % 10), unitStake: '2' }],
  }));
  await buildSlips(db, phase, slips);
  await recordResult(db, phase, '9,3,5,5,5');
  return phase;
}

const told = async (gameId: number) => {
  const { data } = await pageSettlements(db, { gameId, currentPage: 1, pageSize: 20 });
  return data.map(({ slips, waiting, stake, status }) => ({ slips, waiting, stake, status }));
};

it('transactions that settle one phase do not wait for one another, and what each did adds up', async () => {
  const { gameId } = await drawnPhase();
  await gatherNew(db);
  const bounds = await readBounds(db);
  const undone = db.transaction().execute(async (tx) => {
    const work = given(await takeWork(tx));
    const [some, rest] = [work.slips.slice(0, 100), work.slips.slice(100)];
    const decided = await decideSlips(tx, work, [], await lockSlips(tx, some, []), bounds);
    const changes = decided.filter((each) => 'target' in each);
    expect(changes).toHaveLength(100);
    await writeChanges(tx, work, rest, changes, []);
    // It has written and does not come to its commit; another settles all the rest meanwhile.
    while ((await settleNext(db, firstPace(), bounds)) !== 'NOTHING') await endFinished(db);
    const others = SLIPS - work.slips.length;
    expect(others).toBeGreaterThan(100);
    expect(await told(gameId)).toEqual([
      { slips: others, waiting: work.slips.length, stake: `${others * 2}.00`, status: 'RUNNING' },
    ]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await settleDue(db);
  expect(await told(gameId)).toEqual([
    { slips: SLIPS, waiting: 0, stake: `${SLIPS * 2}.00`, status: 'DONE' },
  ]);
  expect(await proveBets(db)).toEqual({ slips: SLIPS, broken: 0, breaks: [] });
});

it('a session that goes through settling once beforehand leaves nothing behind', async () => {
  const rows = () =>
    sql`select (select count(*) from slip_settlement) as settled, (select count(*) from account_history) as entries,
      (select count(*) from report_delta) as counted, (select count(*) from list_delta) as listed`.execute(
      db,
    );
  const { rows: before } = await rows();
  await sql`${sql.raw(settlingOpening)}`.execute(db);
  expect((await rows()).rows).toEqual(before);
});
