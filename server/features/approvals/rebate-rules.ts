import { sql } from 'kysely';
import type { ApprovalRule } from '#server/http/handler.ts';
import { ratesAboveMargin } from '../rebates/rate-store.ts';

/** A share given back that is above what the house keeps of a play way: of any rate that the call has written, since a table has many. */
export const rebateAboveMargin: ApprovalRule = async (db) => async (notes) => {
  const { rows } = await sql<{ today: string }>`select current_date::text as today`.execute(db);
  const written = notes.flatMap(({ table, after }) =>
    table === 'rebate_rate' && after
      ? { level: Number(after.level), categoryId: Number(after.categoryId), rate: String(after.rate) }
      : [],
  );
  const [above] = await ratesAboveMargin(db, written, rows[0]?.today ?? '');
  return above && `返水比例 ${above.rate} 高于玩法“${above.playWay}”的平台留存（返还率 ${above.returnRate}）`;
};
