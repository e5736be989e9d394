import { sql } from 'kysely';
import type { resolveDrawRecord } from '#contract/draw-records.ts';
import type { Input } from '#contract/endpoint.ts';
import type { cancelSlip } from '#contract/slips.ts';
import type { ApprovalRule } from '#server/http/handler.ts';

/** A record that slips were settled by, or are to be: its result moves money. */
export const slipsOfRecord: ApprovalRule<Input<typeof resolveDrawRecord>> = async (db, { id }) => {
  const { rows } = await sql`
    select from draw_record r where id = ${id}
      and exists (select from slip s where s."gameId" = r."gameId" and s.phase = r.phase)`.execute(db);
  return rows.length > 0 ? '更正有注单的开奖结果一律须复核' : undefined;
};

/** A slip that was taken back after its phase had closed, which only the call itself can tell: it has begun a void of that slip. */
export const slipVoided: ApprovalRule<Input<typeof cancelSlip>> =
  async (db, { id }) =>
  async () => {
    const { rows } =
      await sql`select from settlement where "slipId" = ${id} and kind = 'VOID' limit 1`.execute(db);
    return rows.length > 0 ? '封盘后撤单一律须复核' : undefined;
  };
