import { Decimal } from 'decimal.js';
import type { addBalance } from '#contract/accounts.ts';
import type { Input } from '#contract/endpoint.ts';
import type { markWithdrawal } from '#contract/withdrawals.ts';
import type { Db } from '#server/db/database.ts';
import type { ApprovalRule } from '#server/http/handler.ts';
import { readParam } from '#server/params/read-param.ts';

/** Why an amount needs a second operator, where it is above a parameter. */
async function above(
  db: Db,
  what: string,
  amount: string,
  key: 'approval.moneyAbove' | 'approval.withdrawalAbove',
): Promise<string | undefined> {
  const limit = new Decimal(await readParam(db, key));
  if (!limit.lessThan(amount)) return undefined;
  return limit.isZero() ? `${what}一律须复核` : `${what}超过 ${limit.toFixed()}`;
}

/** Money that an operator adds or takes by hand. */
export const moneyAbove: ApprovalRule<Input<typeof addBalance>> = (db, { balance }) =>
  above(db, '人工加扣款', balance, 'approval.moneyAbove');

/** A withdrawal that is marked as paid; nothing leaves with one that is rejected. */
export const withdrawalAbove: ApprovalRule<Input<typeof markWithdrawal>> = async (db, { id, action }) => {
  if (action !== 'PAID') return undefined;
  const order = await db.selectFrom('withdrawal').select('amount').where('id', '=', id).executeTakeFirst();
  return order && above(db, '提现打款', order.amount, 'approval.withdrawalAbove');
};
