import { demandRankOverOperator } from '#server/access/grant-rules.ts';
import { locked, type Row } from '#server/db/rows.ts';
import type { Context } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';

/**
 * Takes the place in line, and keeps the operator meant from others when the caller may touch them. What nobody does to
 * themselves is refused as `self` says.
 */
export async function targetOperator(
  context: Context,
  id: number,
  self?: 'disableSelf' | 'resetSelf',
): Promise<Row<'operator'>> {
  await context.accessChanged({ operatorIds: [id] });
  if (self && id === context.operator.id) throw new Refusal(self);
  const operator = await locked(context.db, 'operator', id);
  await demandRankOverOperator(context.db, context.operator, id);
  return operator;
}
