import { sql } from 'kysely';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import { Refusal } from '#server/refusal.ts';
import { holdOrder, type OrderTable } from './takes.ts';

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
 * somebody else has taken is theirs to decide, and one whose decision waits for a second operator waits for that. Throws what `holdOrder`
 * does, or `rejectionUnexplained`: a player is told why.
 */
export async function decideOrder(db: Db, table: OrderTable, decision: Decision): Promise<Decided> {
  const { id, status, reviewer, remark } = decision;
  await holdOrder(db, table, id, reviewer);
  if (status === 'FAIL' && remark === null) throw new Refusal('rejectionUnexplained', { field: 'remark' });
  const { rows } = await sql<Decided>`
    update ${sql.table(table)} set status = ${status}, reviewer = ${reviewer.userName}, "reviewTime" = now(),
      remark = ${remark}, "successTime" = case when ${status} = 'SUCCESS' then now() end,
      "takenBy" = null, "takenIn" = null, "takenUntil" = null
    where id = ${id} returning "userId", amount`.execute(db);
  return given(rows[0]);
}
