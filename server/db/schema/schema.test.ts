import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dumpSchema } from '#server/testing/schema-dump.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { type Catalog, readCatalog } from './catalog.ts';
import { staleFiles } from './files.ts';
import { functionMeanings } from './function-meanings.ts';
import { tableTypes } from './table-types.ts';

let migrated: TestDatabase;
beforeAll(async () => {
  migrated = await testDatabase();
});
afterAll(() => migrated.drop());

/** What the database tells after a statement, which is undone at once. */
async function catalogAfter(statement: string): Promise<Catalog> {
  const change = await migrated.owner.startTransaction().execute();
  try {
    await sql.raw(statement).execute(change);
    return await readCatalog(change);
  } finally {
    await change.rollback().execute();
  }
}

/** Which of AND and OR joins all of a text, if one does. */
const joint = (text: string): string | undefined => {
  const found = [' AND ', ' OR '].filter((word) => text.includes(word));
  return found.length === 1 ? found[0] : undefined;
};

/** Without parentheses inside a chain of ANDs or of ORs: `row (a, b) is distinct from …` nests one, its text does not. */
function withoutGroups(line: string): string {
  const groups: string[] = [];
  let text = line;
  for (let rest = ''; rest !== text; ) {
    rest = text;
    text = text.replace(/\(([^()]*)\)/, (_, group: string) => `⟦${groups.push(group) - 1}⟧`);
  }
  const opened = (outer: string): string =>
    outer.replaceAll(/⟦(\d+)⟧/g, (_, place: string) => {
      const group = groups[Number(place)] ?? '';
      return joint(group) && joint(group) === joint(outer) ? opened(group) : `(${opened(group)})`;
    });
  return opened(text);
}

test('the table types and schema.sql are what the migrations make', async () => {
  expect(staleFiles(await readCatalog(migrated.db))).toEqual([]);
});

test.each([
  'alter table news add "subtitle" text',
  'alter table news alter "content" drop not null',
  'alter table news alter "important" drop default',
  `alter table menu drop constraint menu_type_check, add check (type in ('FOLDER', 'MENU', 'BTN', 'TAB'))`,
])('both are stale after: %s', async (statement) => {
  expect(staleFiles(await catalogAfter(statement))).toEqual([
    expect.stringMatching(
      /^server\/db\/tables\/(news|menu)\.ts is not what the migrations make: run `npm run schema`$/,
    ),
    'server/db/schema.sql is not what the migrations make: run `npm run schema`',
  ]);
});

test('the files of a table that is gone, or new, are named, and so is their list', async () => {
  const named = async (statement: string) =>
    staleFiles(await catalogAfter(statement)).map((sentence) => sentence.split(' ')[0]);
  expect(await named('drop table news')).toEqual([
    'server/db/tables/index.ts',
    'server/db/schema.sql',
    'server/db/tables/news.ts',
  ]);
  expect(await named('create table thing (id bigint)')).toEqual([
    'server/db/tables/index.ts',
    'server/db/tables/thing.ts',
    'server/db/schema.sql',
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
  `comment on function refuse_change is 'What it is for.'`,
])('schema.sql alone is stale after: %s', async (statement) => {
  expect(staleFiles(await catalogAfter(statement))).toEqual([
    'server/db/schema.sql is not what the migrations make: run `npm run schema`',
  ]);
});

test('each function tells what it is for: those that landed before in function-meanings.ts, others in their migration', async () => {
  const { routines } = await readCatalog(migrated.db);
  const bare = new Set(routines.flatMap(({ name, comment }) => (comment ? [] : name.replace(/\(.*/, ''))));
  expect([...bare].sort()).toEqual(Object.keys(functionMeanings).sort());
});

test('schema.sql makes on an empty database what the migrations make', async () => {
  const made = await testDatabase({ empty: true });
  try {
    await sql.raw(readFileSync(new URL('../schema.sql', import.meta.url), 'utf8')).execute(made.db);
    const [told, wanted] = [await dumpSchema(made.db), await dumpSchema(migrated.owner)];
    expect(told.map(withoutGroups)).toEqual(wanted.map(withoutGroups));
  } finally {
    await made.drop();
  }
});

test('a column is typed by what it holds and by who fills it', async () => {
  const types = tableTypes(
    await catalogAfter(`create table thing (
      id bigint generated always as identity primary key, size numeric(10, 2) not null, at timestamptz not null default now(),
      kind text not null default 'A' check (kind in ('A', 'B''s')), shape text check (shape in ('X', 'Y')), days smallint[], more jsonb,
      twice numeric generated always as (size * 2) stored)`),
  );
  expect(types.get('thing.ts')).toContain(`export interface ThingTable {
  id: GeneratedAlways<number>;
  size: string;
  at: Defaulted<Moment>;
  kind: Defaulted<string>;
  shape: 'X' | 'Y' | null;
  days: number[] | null;
  more: Json | null;
  twice: GeneratedAlways<string | null>;
}`);
});

test('a type that no value is known for is refused by name', async () => {
  const catalog = await catalogAfter('create table thing (span interval)');
  expect(() => tableTypes(catalog)).toThrow('thing."span": no value is known for the type interval');
});
