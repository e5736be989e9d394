import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesAfter, former, landings, lay, numberOf } from '#server/testing/past-database.ts';
import { dumpSchema } from '#server/testing/schema-dump.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { migrate, migrationsCurrent } from './migrate.ts';
import type { Landing } from './migration-files.ts';

// What programs of the past left behind. Each began on an empty database and applied the files there were, by number; so the
// kinds of databases are the beginnings of the list of landings.
/** The first program that could be started had these four. */
const FIRST_PROGRAM = 4;
const LAST_IN_DISORDER = landings.findLastIndex((landing, place) =>
  landings.slice(0, place).some((earlier) => earlier.name >= landing.name),
);

const kinds: (readonly [string, Landing[]])[] = [];
for (let count = FIRST_PROGRAM; count <= LAST_IN_DISORDER + 1; count++)
  kinds.push([`up to ${landings[count - 1]?.name}`, filesAfter(count)]);
// The mails were taken away for a moment after they had landed.
kinds.push([
  'up to 0031 without 0042',
  filesAfter(landings.findIndex(({ name }) => name.startsWith('0031')) + 1).filter(
    (landing) => numberOf(landing) !== '0042',
  ),
]);
kinds.push(['of the last program', filesAfter(landings.length)]);

let fresh: TestDatabase;
let schema: string[];
beforeAll(async () => {
  fresh = await testDatabase({ empty: true });
  await migrate(fresh.db);
  schema = await dumpSchema(fresh.db);
});
afterAll(() => fresh.drop());

test('the kinds are those that programs left behind, and the schema is told in full', () => {
  expect(kinds.map(([, files]) => files.length)).toEqual(
    expect.arrayContaining([4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17]),
  );
  expect(schema.length).toBeGreaterThan(400);
  const all = schema.join('\n');
  for (const part of ['index public.list_count_ids', 'account_history_append_only', 'post_entries'])
    expect(all).toContain(part);
  // The queue that programs of before had is gone, whoever laid it.
  expect(all).not.toContain('pgboss');
});

test.concurrent.each(kinds)(
  'a database of the program with files %s becomes like a fresh one',
  async (_name, files) => {
    const { db, drop } = await testDatabase({ empty: true });
    await lay(db, files);
    expect(await migrationsCurrent(db)).toBe(
      files.length === filesAfter(landings.length).length &&
        !files.some((file) => !filesAfter(landings.length).includes(file)),
    );
    await migrate(db);
    expect(await migrationsCurrent(db)).toBe(true);
    expect(await dumpSchema(db)).toEqual(schema);
    expect(await migrate(db)).toEqual([]);
    const checksums = sql<Landing>`select name, checksum from schema_migration order by name`;
    expect((await checksums.execute(db)).rows).toEqual((await checksums.execute(fresh.db)).rows);
    // What was counted before is counted still.
    const { rows } = await sql<{ counted: number; held: number }>`
    select (select count(*)::int from player) as held, (select coalesce(sum(n), 0)::int from (
      select n from list_count where list = 'player' and key = '*' and "timeBits" = 63 and "idBits" = 63
      union all select n from list_delta where list = 'player') as c) as counted`.execute(db);
    expect(rows[0]?.counted).toBe(rows[0]?.held);
    // Of whole lists as of their blocks of ids.
    const differing = sql`select list, key from list_count where "timeBits" = 63 group by list, key
      having sum(n) filter (where "idBits" = 63) is distinct from sum(n) filter (where "idBits" = 16)
        or sum(n) filter (where "idBits" = 23) is distinct from sum(n) filter (where "idBits" = 16)`;
    expect((await differing.execute(db)).rows).toEqual([]);
    expect((await sql`select from operator`.execute(db)).rows).toHaveLength(1);
    await drop();
  },
);

test('every file that landed and was changed later is kept as it was', () => {
  const changed = landings
    .filter((landing) => !filesAfter(landings.length).includes(landing))
    .map(({ name }) => name);
  expect(readdirSync(former).sort()).toEqual(changed.sort());
});
