import { sql } from 'kysely';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { type OrderTable, refuseOrder, untakenBut } from './takes.ts';

/** Who decides an order, how, and why. */
export interface Decision {
  id: number;
  status: 'SUCCESS' | 'FAIL';
  reviewer: SignedIn;
  remark: string | null;
}

interface Decided {
  userId: number;
  amount: string;
}

/**
 * Takes an order out of PROCESSING, once: whoever comes second waits for the first and finds it decided. One that
 * somebody else has taken is theirs to decide. Throws `orderDecided`, `orderTaken`, `recordNotFound`, or `rejectionUnexplained`: a player is
 * told why.
 */
export async function decide(
  db: Db,
  table: OrderTable,
  { id, status, reviewer, remark }: Decision,
): Promise<Decided> {
  const { rows } = await sql<Decided>`
    update ${sql.table(table)} set status = ${status}, reviewer = ${reviewer.userName}, "reviewTime" = now(),
      remark = ${remark}, "successTime" = case when ${status} = 'SUCCESS' then now() end,
      "takenBy" = null, "takenIn" = null, "takenUntil" = null
    where id = ${id} and status = 'PROCESSING' and ${untakenBut(reviewer.id)}
    returning "userId", amount`.execute(db);
  const [decided] = rows;
  if (decided && status === 'FAIL' && remark === null)
    throw new Refusal('rejectionUnexplained', { field: 'remark' });
  if (decided) return decided;
  return refuseOrder(db, table, id);
}
