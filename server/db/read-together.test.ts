import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { connect, type Db } from './database.ts';
import { isOutage } from './driver/outage.ts';
import { readTogether } from './read-together.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  // One connection: whatever a pair leaves behind, the next query meets.
  db = connect(database.url, { timeZone: 'Asia/Shanghai', max: 1 });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`;

it('two queries go over one connection and come back in their order, many pairs at once', async () => {
  const pairs = Array.from({ length: 20 }, (_, place) =>
    readTogether(db, sql<{ n: number }>`select ${place}::int as n, pg_sleep(0.001)`, pid),
  );
  const answers = await Promise.all(pairs);
  expect(answers.map(([[first]]) => first?.n)).toEqual(Array.from({ length: 20 }, (_, place) => place));
  expect(new Set(answers.map(([, [second]]) => second?.pid)).size).toBe(1);
});

it('one that fails fails the pair, and the connection serves on', async () => {
  const failing = sql`select 1 / ${0}::int`;
  await expect(readTogether(db, failing, pid)).rejects.toMatchObject({ code: '22012' });
  await expect(readTogether(db, pid, failing)).rejects.toMatchObject({ code: '22012' });
  expect((await pid.execute(db)).rows).toHaveLength(1);
});

it('a connection lost between the two is an outage for both, and the next pair has a new one', async () => {
  const suicide = sql`select pg_terminate_backend(pg_backend_pid())`;
  const lost = await readTogether(db, suicide, pid).catch((error: unknown) => error);
  expect(isOutage(lost)).toBe(true);
  expect((await readTogether(db, pid, pid))[0]).toHaveLength(1);
});

it('inside a transaction they stay inside it', async () => {
  await db.transaction().execute(async (tx) => {
    const id = sql<{ id: string }>`select pg_current_xact_id()::text as id`;
    const [[first], [second]] = await readTogether(tx, id, id);
    expect(first).toEqual(second);
  });
});
