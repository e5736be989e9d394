import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dumpSchema } from '#server/testing/schema-dump.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { type Catalog, readCatalog } from './catalog.ts';
import { staleFiles } from './files.ts';
import { tableTypes } from './table-types.ts';

let migrated: TestDatabase;
beforeAll(async () => {
  migrated = await testDatabase();
});
afterAll(() => migrated.drop());

/** What the database tells after a statement, which is undone at once. */
async function catalogAfter(statement: string): Promise<Catalog> {
  const change = await migrated.db.startTransaction().execute();
  try {
    await sql.raw(statement).execute(change);
    return await readCatalog(change);
  } finally {
    await change.rollback().execute();
  }
}

test('the table types and schema.sql are what the migrations make', async () => {
  expect(staleFiles(await readCatalog(migrated.db))).toEqual([]);
});

test.each([
  'alter table news add "subtitle" text',
  'alter table news alter "content" drop not null',
  'alter table news alter "important" drop default',
  `alter table menu drop constraint menu_type_check, add check (type in ('FOLDER', 'MENU', 'BTN', 'TAB'))`,
  'drop table news',
])('both are stale after: %s', async (statement) => {
  expect(staleFiles(await catalogAfter(statement))).toEqual([
    'server/db/tables.ts is not what the migrations make: run `npm run schema`',
    'server/db/schema.sql is not what the migrations make: run `npm run schema`',
  ]);
});

test.each([
  'create index on news ("createTime")',
  'drop index news_category_id',
  'alter table odds drop constraint odds_odds_check',
  'drop trigger account_history_append_only on account_history',
  'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
  'revoke delete on news from current_user',
  `comment on column news.title is 'What stands above it.'`,
])('schema.sql alone is stale after: %s', async (statement) => {
  expect(staleFiles(await catalogAfter(statement))).toEqual([
    'server/db/schema.sql is not what the migrations make: run `npm run schema`',
  ]);
});

test('schema.sql makes on an empty database what the migrations make', async () => {
  // The job queue keeps tables of its own in a schema of its own.
  const ours = (line: string) => !line.includes('pgboss');
  const made = await testDatabase({ empty: true });
  try {
    await sql.raw(readFileSync(new URL('../schema.sql', import.meta.url), 'utf8')).execute(made.db);
    expect(await dumpSchema(made.db)).toEqual((await dumpSchema(migrated.db)).filter(ours));
  } finally {
    await made.drop();
  }
});

test('a column is typed by what it holds and by who fills it', async () => {
  expect(
    tableTypes(
      await catalogAfter(`create table thing (
      id bigint generated always as identity primary key, size numeric(10, 2) not null, at timestamptz not null default now(),
      kind text not null default 'A' check (kind in ('A', 'B''s')), shape text check (shape in ('X', 'Y')), days smallint[], more jsonb,
      twice numeric generated always as (size * 2) stored)`),
    ),
  ).toContain(`  thing: {
    id: GeneratedAlways<number>;
    size: string;
    at: Defaulted<Moment>;
    kind: Defaulted<string>;
    shape: 'X' | 'Y' | null;
    days: number[] | null;
    more: Json | null;
    twice: GeneratedAlways<string | null>;
  };`);
});

test('a type that no value is known for is refused by name', async () => {
  const catalog = await catalogAfter('create table thing (span interval)');
  expect(() => tableTypes(catalog)).toThrow('thing."span": no value is known for the type interval');
});
