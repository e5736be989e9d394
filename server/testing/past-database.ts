import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { type Landing, readLandings } from '#server/db/migration-files.ts';

const folder = new URL('../db/migrations/', import.meta.url);
/** Files that landed and were changed later, as they were. */
export const former = new URL('./former-migrations/', import.meta.url);
/** Every file that landed, in the order in which they did. */
export const landings = readLandings(folder);

export const numberOf = ({ name }: Landing): string => name.slice(0, 4);

/** The files of the program after so many landings: of a file that landed twice the later one. */
export const filesAfter = (count: number): Landing[] => [
  ...new Map(landings.slice(0, count).map((landing) => [landing.name, landing])).values(),
];

function textOf({ name, checksum }: Landing): string {
  const changedLater = landings.findLast((landing) => landing.name === name)?.checksum !== checksum;
  return readFileSync(new URL(name, changedLater ? former : folder), 'utf8');
}

/** Lays the database as the program with these files did, with a few rows in it. */
export async function lay(db: Db, files: readonly Landing[]): Promise<void> {
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
