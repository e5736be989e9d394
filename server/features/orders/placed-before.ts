import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import type { OrderTable } from './takes.ts';

/**
 * The order that was placed before under this number, if there is one with this very content, column by column. Throws
 * `orderNumberTaken` when the number is another order's.
 */
export async function placedBefore(
  db: Db,
  table: OrderTable,
  bankOrderNo: string,
  content: Readonly<Record<string, string | number | null | undefined>>,
): Promise<number | undefined> {
  const same = Object.entries(content).map(
    ([column, value]) => sql`${sql.ref(column)} is not distinct from ${value ?? null}`,
  );
  const { rows } = await sql<{ id: number; same: boolean }>`
    select id, ${sql.join(same, sql` and `)} as same from ${sql.table(table)} where "bankOrderNo" = ${bankOrderNo}`.execute(
    db,
  );
  const [first] = rows;
  if (first && !first.same) throw new Refusal('orderNumberTaken', { field: 'bankOrderNo' });
  return first?.id;
}
