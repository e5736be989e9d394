import { sql } from 'kysely';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { type OrderTable, refuseOrder, submitted, untakenBut } from './takes.ts';

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

/** That a decision in this operator's name is being released: until that is done, nobody else sees one released and the order undecided. */
const beingReleased = ({
  id,
  reviewer,
}: Decision) => sql`exists (select from approval where call = 'markWithdrawal'
  and "targetId" = ${id}::text and "makerId" = ${reviewer.id} and status = 'RELEASED')`;

/**
 * Takes an order out of PROCESSING, once: whoever comes second waits for the first and finds it decided. One that
 * somebody else has taken is theirs to decide, and one whose decision waits for a second operator waits for that. Throws what `refuseOrder`
 * does, or `rejectionUnexplained`: a player is told why.
 */
export async function decideOrder(db: Db, table: OrderTable, decision: Decision): Promise<Decided> {
  const { id, status, reviewer, remark } = decision;
  const { rows } = await sql<Decided>`
    update ${sql.table(table)} o set status = ${status}, reviewer = ${reviewer.userName}, "reviewTime" = now(),
      remark = ${remark}, "successTime" = case when ${status} = 'SUCCESS' then now() end,
      "takenBy" = null, "takenIn" = null, "takenUntil" = null
    where id = ${id} and status = 'PROCESSING' and ${untakenBut(reviewer.id)}
      and (not ${submitted(table, sql`o.id`)} or ${beingReleased(decision)})
    returning "userId", amount`.execute(db);
  const [decided] = rows;
  if (decided && status === 'FAIL' && remark === null)
    throw new Refusal('rejectionUnexplained', { field: 'remark' });
  if (decided) return decided;
  return refuseOrder(db, table, id);
}
