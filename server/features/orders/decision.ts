import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';

/** Who decides an order, how, and why. */
export interface Decision {
  id: number;
  status: 'SUCCESS' | 'FAIL';
  reviewer: string;
  remark: string | null;
}

interface Decided {
  userId: number;
  amount: string;
}

/**
 * Takes an order out of PROCESSING, once: whoever comes second waits for the first and finds it decided. Throws
 * `orderDecided`, `recordNotFound`, or `rejectionUnexplained`: a player is told why.
 */
export async function decide(
  db: Db,
  table: 'deposit' | 'withdrawal',
  { id, status, reviewer, remark }: Decision,
): Promise<Decided> {
  const { rows } = await sql<Decided>`
    update ${sql.table(table)} set status = ${status}, reviewer = ${reviewer}, "reviewTime" = now(), remark = ${remark},
      "successTime" = case when ${status} = 'SUCCESS' then now() end
    where id = ${id} and status = 'PROCESSING'
    returning "userId", amount`.execute(db);
  const [decided] = rows;
  if (decided && status === 'FAIL' && remark === null)
    throw new Refusal('rejectionUnexplained', { field: 'remark' });
  if (decided) return decided;
  const there = await sql`select from ${sql.table(table)} where id = ${id}`.execute(db);
  throw new Refusal(there.rows.length > 0 ? 'orderDecided' : 'recordNotFound');
}
