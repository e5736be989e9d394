import { sql } from 'kysely';
import { nounEntries, nounOf } from '#contract/nouns.ts';
import type { NounName } from '#contract/ref.ts';
import type { Db } from './database.ts';

/** Nouns whose table is called otherwise: players are users on the wire. */
const otherwise: Partial<Record<NounName, string>> = { user: 'player' };

/** The table that holds a noun's rows: its name in snake case. */
export const tableOf = (noun: NounName): string =>
  otherwise[noun] ?? noun.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const byTable = new Map(nounEntries.map(([name]) => [tableOf(name), name]));

/** The noun of a table's rows; undefined for a table without one. */
export const nounOfTable = (table: string): NounName | undefined => byTable.get(table);

/** A row's name, and the values that fill the search of its noun's screen to find it. */
export interface NamedRow {
  readonly id: number;
  readonly name: string;
  readonly find: Readonly<Record<string, string>>;
}

/** The rows of a noun, of these ids or all; ids without a row are left out. */
export async function namedRows(db: Db, noun: NounName, ids?: readonly number[]): Promise<NamedRow[]> {
  const { name, find } = nounOf(noun);
  const found = find.flatMap((field) => [sql.lit(field), sql`${sql.ref(field)}::text`]);
  const wanted = ids === undefined ? sql`` : sql`where id = any(${[...ids]})`;
  const { rows } = await sql<NamedRow>`
    select id, ${sql.ref(name)}::text as name, jsonb_build_object(${sql.join(found)}) as find
    from ${sql.table(tableOf(noun))} ${wanted}`.execute(db);
  return rows;
}
