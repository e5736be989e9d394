import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { readSince } from './happening-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('news is read in seconds that 32 bits do not hold', async () => {
  const { db, owner } = database;
  await sql`create schema later`.execute(owner);
  await sql`create function later.clock_timestamp() returns timestamptz language sql
    as $$ select '2040-01-01 00:00:00+00'::timestamptz $$`.execute(owner);
  await sql`grant usage on schema later to public`.execute(owner);
  const read = await db.transaction().execute(async (tx) => {
    await sql`set local search_path = later, public, pg_catalog`.execute(tx);
    return readSince(tx, undefined);
  });
  expect(read.at).toBe(Date.UTC(2040, 0, 1) / 1_000);
});
