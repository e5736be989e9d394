import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { addRebateRate } from '#contract/rebates.ts';
import type { ApprovalRule } from '#server/http/handler.ts';
import { ratesAboveMargin } from '../rebates/rate-store.ts';

/** A share given back that is above what the house keeps of a play way. */
export const rebateAboveMargin: ApprovalRule<Input<typeof addRebateRate>> = async (db, rate) => {
  const { rows } = await sql<{ today: string }>`select current_date::text as today`.execute(db);
  const [above] = await ratesAboveMargin(db, [rate], rows[0]?.today ?? '');
  return above && `返水比例 ${above.rate} 高于玩法“${above.playWay}”的平台留存（返还率 ${above.returnRate}）`;
};
