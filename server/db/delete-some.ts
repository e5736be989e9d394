import { sql } from 'kysely';
import type { Db, Tables } from './database.ts';
import type { Condition } from './where.ts';

interface Old {
  readonly table: keyof Tables;
  /** Its primary key; `id` unless given. */
  readonly key?: readonly string[];
  /** Which of its rows `r` go. */
  readonly where: Condition;
  /** Which of them go first; any unless given. */
  readonly order?: readonly string[];
}

const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

/** Deletes rows of a table, at most so many, and gives how many. Rows that somebody holds are left for the next time. */
export async function deleteSome(
  db: Db,
  most: number,
  { table, key = ['id'], where, order = [] }: Old,
): Promise<number> {
  const ordered = order.length > 0 ? sql`order by ${columns(order)}` : sql``;
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where (${columns(key)}) in (
      select ${columns(key)} from ${sql.table(table)} as r where ${where} ${ordered} limit ${most} for update skip locked)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
