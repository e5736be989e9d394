import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { SealKind } from './seal-kinds.ts';

/** Whether a seal is over the row of this id already. There is a gap only while somebody writes; whether there is any is asked once for all rows. */
export const isSealed = (kind: SealKind, id: string): RawBuilder<boolean> => {
  const gaps = sql`select from seal_gap where kind = ${sql.lit(kind)}`;
  return sql`(
  ${sql.ref(id)} <= coalesce((select max("toId") from seal where kind = ${sql.lit(kind)} and not late), 0)
  and (not (select exists (${gaps})) or not exists (${gaps} and ids::int8multirange @> ${sql.ref(id)})))`;
};

/** Rows of a page, each with whether a seal is over it already. */
export async function withSealed<R extends { id: number }>(
  db: Db,
  kind: SealKind,
  rows: readonly R[],
): Promise<(R & { sealed: boolean })[]> {
  if (rows.length === 0) return [];
  const { rows: open } = await sql<{ id: number }>`
    with through as materialized (select max("toId") as id from seal where kind = ${kind} and not late)
    select r.id from unnest(${rows.map(({ id }) => id)}::bigint[]) as r (id), through
    where r.id > coalesce(through.id, 0) or exists (select from seal_gap where kind = ${kind} and ids::int8multirange @> r.id)`.execute(
    db,
  );
  const unsealed = new Set(open.map(({ id }) => id));
  return rows.map((row) => ({ ...row, sealed: !unsealed.has(row.id) }));
}
