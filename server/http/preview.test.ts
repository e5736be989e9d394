import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db } from '#server/db/database.ts';
import { added, changed, type RowNote, watched } from '#server/db/rows.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { previewOf } from './preview.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** What some work is seen to do in a transaction that is undone. */
async function seen(work: (tx: Db) => Promise<unknown>) {
  const undone = new Error('undone');
  let told: Awaited<ReturnType<typeof previewOf>> | undefined;
  const transaction = database.db.transaction().execute(async (tx) => {
    const rows: readonly RowNote[] = watched(tx);
    await work(tx);
    told = await previewOf(tx, { rows });
    throw undone;
  });
  await expect(transaction).rejects.toBe(undone);
  if (!told) throw new Error('nothing seen');
  return { ...told, digest: told.digest.toString('hex') };
}

it('two runs of the same work are alike, though numbers, moments and defaults are others', async () => {
  const gameId = await buildGame(database.db);
  const { id } = await added(database.db, 'role', { desc: '原来', name: 'former' });
  const category = { gameId, countOfRows: 5, hideName: false };
  const work = async (tx: Db) => {
    const parent = await added(tx, 'play_way_category', { ...category, name: '上', parentCategoryId: null });
    await added(tx, 'play_way_category', { ...category, name: '下', parentCategoryId: parent.id });
    await changed(tx, 'role', { id }, { desc: '新的', editDate: sql`now()` });
  };
  const first = await seen(work);
  // The clock has moved on by a second when the same is done again.
  await sql`select pg_sleep(1.1)`.execute(database.db);
  expect((await seen(work)).digest).toBe(first.digest);
  expect(JSON.stringify(first.after)).toContain('新的');
  expect(JSON.stringify(first.after)).not.toContain('"id":null');

  // Nothing but the moment is written, which is at first the one that is there.
  const { editDate } = await changed(database.db, 'role', { id }, { editDate: sql`now()` });
  const soon = await seen((tx) => changed(tx, 'role', { id }, { editDate }));
  await sql`select pg_sleep(1.1)`.execute(database.db);
  const later = await seen((tx) => changed(tx, 'role', { id }, { editDate: sql`now()` }));
  expect(later.digest).toBe(soon.digest);

  const otherwise = await seen((tx) => changed(tx, 'role', { id }, { desc: '别的' }));
  expect(otherwise.digest).not.toBe(first.digest);
  await changed(database.db, 'role', { id }, { desc: '中间' });
  expect((await seen(work)).digest).not.toBe(first.digest);
});
