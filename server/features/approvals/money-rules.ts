import { Decimal } from 'decimal.js';
import { sql } from 'kysely';
import type { addBalance } from '#contract/accounts.ts';
import type { Input } from '#contract/endpoint.ts';
import { moneyText } from '#contract/money-text.ts';
import type { markWithdrawal } from '#contract/withdrawals.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import type { ApprovalRule } from '#server/http/handler.ts';
import { readParam } from '#server/params/read-param.ts';

/** Why an amount needs a second operator, where it is above a parameter. */
function above(what: string, amount: Decimal.Value, limit: Decimal): string | undefined {
  if (!limit.lessThan(amount)) return undefined;
  return limit.isZero() ? `${what}一律须复核` : `${what}超过 ${moneyText(limit.toFixed())}`;
}

/**
 * What somebody has moved by hand on an account within a day that nobody else has released. A release is decided a moment after the move's
 * own time, so it is forgotten a minute sooner: in that minute what was released counts once more, and nothing ever counts too little. The day
 * is told in hours: the database's own is one of the calendar, and has 23 where clocks are put forward.
 */
async function movedAlone(db: Db, account: number, { id: operatorId }: SignedIn): Promise<Decimal> {
  const { rows } = await sql<{ amount: string }>`
    select (coalesce((select sum((input ->> 'balance')::numeric) from change_record
          where "operatorId" = ${operatorId} and "targetId" = ${String(account)}
            and call in ('addBalance', 'subtractBalance') and outcome = 'SUCCESS'
            and "createTime" > clock_timestamp() - interval '24 hours'), 0)
        - coalesce((select sum((input ->> 'balance')::numeric) from approval
          where "makerId" = ${operatorId} and "targetId" = ${String(account)}
            and call in ('addBalance', 'subtractBalance') and status = 'RELEASED'
            and "decideTime" > clock_timestamp() - interval '23:59:00'), 0))::text as amount`.execute(db);
  return new Decimal(rows[0]?.amount ?? 0);
}

/**
 * Money that an operator adds or takes by hand: an amount above the parameter, or one that brings what the operator has moved alone on the
 * account within a day above it. The sum is read once the account is held, so that amounts moved at the same moment see each other.
 */
export const moneyAbove: ApprovalRule<Input<typeof addBalance>> = async (db, { id, balance }, maker) => {
  const limit = new Decimal(await readParam(db, 'approval.moneyAbove'));
  return (
    above('人工加扣款', balance, limit) ??
    (async () =>
      above('同一人一天内对该账户的人工加扣款累计', (await movedAlone(db, id, maker)).add(balance), limit))
  );
};

/** A withdrawal that is marked as paid; nothing leaves with one that is rejected. */
export const withdrawalAbove: ApprovalRule<Input<typeof markWithdrawal>> = async (db, { id, action }) => {
  if (action !== 'PAID') return undefined;
  const order = await db.selectFrom('withdrawal').select('amount').where('id', '=', id).executeTakeFirst();
  return (
    order && above('提现打款', order.amount, new Decimal(await readParam(db, 'approval.withdrawalAbove')))
  );
};
