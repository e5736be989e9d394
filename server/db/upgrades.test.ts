import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dumpSchema } from '#server/testing/schema-dump.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import type { Db } from './database.ts';
import { migrate, migrationsCurrent } from './migrate.ts';
import { type Landing, readLandings } from './migration-files.ts';

// What programs of the past left behind. Each began on an empty database and applied the files there were, by number; so the
// kinds of databases are the beginnings of the list of landings.
const folder = new URL('./migrations/', import.meta.url);
const former = new URL('../testing/former-migrations/', import.meta.url);
const landings = readLandings(folder);

const numberOf = ({ name }: Landing): string => name.slice(0, 4);
/** The first program that could be started had these four. */
const FIRST_PROGRAM = 4;
const LAST_IN_DISORDER = landings.findLastIndex((landing, place) =>
  landings.slice(0, place).some((earlier) => earlier.name >= landing.name),
);

/** The files of the program after so many landings: of a file that landed twice the later one. */
const filesAfter = (count: number): Landing[] => [
  ...new Map(landings.slice(0, count).map((landing) => [landing.name, landing])).values(),
];

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

function textOf({ name, checksum }: Landing): string {
  const changedLater = landings.findLast((landing) => landing.name === name)?.checksum !== checksum;
  return readFileSync(new URL(name, changedLater ? former : folder), 'utf8');
}

/** Lays the database as the program with these files did, with a few rows in it. */
async function lay(db: Db, files: readonly Landing[]): Promise<void> {
  await sql`create table schema_migration (
    name text primary key, checksum text not null, "applyTime" timestamptz not null default now())`.execute(
    db,
  );
  for (const file of [...files].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    await sql.raw(textOf(file)).execute(db);
    await sql`insert into schema_migration (name, checksum) values (${file.name}, ${file.checksum})`.execute(
      db,
    );
  }
  const has = (number: string) => files.some((file) => numberOf(file) === number);
  await sql`insert into operator ("userName", "passwordHash") values ('early', 'x')`.execute(db);
  // Before there were players sessions belonged to any number; afterwards to players alone.
  if (has('0050') && !has('0051'))
    await sql`insert into chat_session ("operatorId", "userId") select id, 4711 from operator`.execute(db);
  if (!has('0031')) return;
  await sql`insert into player ("nickName", "createTime") select 'n', now() - n * interval '1 hour' from generate_series(1, 3000) n`.execute(
    db,
  );
  await sql`insert into account ("userId") select id from player`.execute(db);
  const posting = has('0161')
    ? sql`post_entries(array[id], array['RECHARGE'], array[10], array['first-' || id], null)`
    : sql`post_entry(id, 'RECHARGE', 10, 'first-' || id, null)`;
  await sql`select ${posting} from player where id <= 20`.execute(db);
  await sql`insert into withdrawal ("userId", amount, "receiveAccountNo") values (1, 5, '6222')`.execute(db);
  await sql`select fold_list_deltas()`.execute(db);
}

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
      select n from list_count where list = 'player' and key = '*' and "timeBits" = 63 and "idBits" = 16
      union all select n from list_delta where list = 'player') as c) as counted`.execute(db);
    expect(rows[0]?.counted).toBe(rows[0]?.held);
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
