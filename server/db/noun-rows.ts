import { sql } from 'kysely';
import { nounEntries, nounOf } from '#contract/nouns.ts';
import type { NounName } from '#contract/ref.ts';
import type { Db } from './database.ts';

/** Players were called so in the database before they were users. */
const otherwise: Partial<Record<NounName, string>> = { user: 'player' };

/** The table that holds a noun's rows: its name in snake case. */
export const tableOf = (noun: NounName): string =>
  otherwise[noun] ?? noun.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const byTable = new Map(nounEntries.map(([name]) => [tableOf(name), name]));

/** The noun whose rows a table holds; nothing for a table that no operator knows of. */
export const nounOfTable = (table: string): NounName | undefined => byTable.get(table);

/** What an operator calls the row with an id, and what the search of its screen is filled with to find it. */
export interface NamedRow {
  readonly id: number;
  readonly name: string;
  readonly find: Readonly<Record<string, string>>;
}

/** The rows of a noun that there are now, of these ids or all. */
export async function namedRows(db: Db, noun: NounName, ids?: readonly number[]): Promise<NamedRow[]> {
  const { name, find } = nounOf(noun);
  const found = find.flatMap((field) => [sql.lit(field), sql`${sql.ref(field)}::text`]);
  const wanted = ids === undefined ? sql`` : sql`where id = any(${[...ids]})`;
  const { rows } = await sql<NamedRow>`
    select id, ${sql.ref(name)}::text as name, jsonb_build_object(${sql.join(found)}) as find
    from ${sql.table(tableOf(noun))} ${wanted}`.execute(db);
  return rows;
}
