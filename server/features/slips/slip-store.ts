import { type SqlBool, sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { PlacedSlip, PlatformSlip, pageUserBets } from '#contract/platform-bets.ts';
import type { Slip } from '#contract/slips.ts';
import type { Db } from '#server/db/database.ts';
import { page } from '#server/db/page.ts';
import { type Condition, equals, on, where } from '#server/db/where.ts';
import { Refusal } from '#server/refusal.ts';
import { toldOdds } from '../bets/line.ts';
import { findHandlerVersion, findResultHandler } from '../result-handlers/registry.ts';

/** A line as it is kept, with the names its play way had. */
export type KeptLine = Slip['lines'][number];

/** What a handler is called: as that version was, else as it is now, else by its name. */
const titleOf = ({ handler, handlerVersion }: Pick<KeptLine, 'handler' | 'handlerVersion'>): string =>
  (findHandlerVersion(handler, handlerVersion) ?? findResultHandler(handler))?.title ?? handler;

/** The lines of these slips, each slip's in the order they were sent. */
export async function linesOf(db: Db, slipIds: readonly number[]): Promise<Map<number, KeptLine[]>> {
  if (slipIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('slip_line as l')
    .innerJoin('slip_rules as r', 'r.id', 'l.rulesId')
    .select(['l.slipId', 'l.id', 'l.playWayId', 'r.playWayName', 'r.categoryName', 'r.subCategoryName'])
    .select(['l.selection', 'l.units', 'l.unitStake', 'l.stake', 'l.odds', 'l.maxPayout', 'l.status'])
    .select(['l.winningUnits', 'l.pushedUnits', 'l.payout', 'l.refund'])
    .select([
      sql<string>`r.rules ->> 'handler'`.as('handler'),
      sql<number>`(r.rules ->> 'version')::int`.as('handlerVersion'),
    ])
    .where(sql<SqlBool>`l."slipId" = any(${[...slipIds]}::bigint[])`)
    .orderBy('l.id')
    .execute();
  const lines = new Map<number, KeptLine[]>();
  for (const { slipId, ...kept } of rows) {
    // Lines of versions before 0.19 keep more of a row, for good: what was placed is final, and sealed.
    const line = { ...kept, odds: toldOdds(kept.odds), handlerTitle: titleOf(kept) };
    const list = lines.get(slipId);
    if (list) list.push(line);
    else lines.set(slipId, [line]);
  }
  return lines;
}

const platformColumns = [
  ...(['id', 'bizNo', 'userId', 'gameId', 'phase', 'status'] as const),
  ...(['stake', 'payout', 'refund', 'createTime', 'settleTime'] as const),
] as const;

const slipsWhere = (db: Db, asked: Condition) => db.selectFrom('slip').select(platformColumns).where(asked);

type Bare = Omit<PlatformSlip, 'slipId' | 'lines'> & { readonly id: number };

/** Slips as the players' site reads them. */
async function withLines(db: Db, slips: readonly Bare[]): Promise<PlatformSlip[]> {
  const lines = await linesOf(
    db,
    slips.map(({ id }) => id),
  );
  return slips.map(({ id, ...slip }) => ({
    slipId: id,
    ...slip,
    lines: (lines.get(id) ?? []).map(
      ({ categoryName, subCategoryName, maxPayout, handler, handlerTitle, handlerVersion, ...line }) => line,
    ),
  }));
}

async function findOne(db: Db, condition: Condition): Promise<PlatformSlip> {
  const slips = await slipsWhere(db, condition).execute();
  const [slip] = await withLines(db, slips);
  if (!slip) throw new Refusal('recordNotFound');
  return slip;
}

/** A slip by its id. Throws `recordNotFound`. */
export const findSlip = (db: Db, id: number): Promise<PlatformSlip> => findOne(db, sql`id = ${id}`);

/** A slip by the site's number. Throws `recordNotFound`. */
export const findSlipByBizNo = (db: Db, bizNo: string): Promise<PlatformSlip> =>
  findOne(db, sql`"bizNo" = ${bizNo}`);

/** Whether a slip was taken back by somebody, for this reason or for none. */
export async function isCancelledSo(db: Db, id: number, who: string, why: string | undefined) {
  const slip = await db
    .selectFrom('slip')
    .select(['status', 'cancelledBy', 'cancelReason'])
    .where('id', '=', id)
    .executeTakeFirst();
  return slip?.status === 'CANCELLED' && slip.cancelledBy === who && slip.cancelReason === (why ?? null);
}

/** A player's slips, the newest first. */
export async function pageSlipsOfUser(db: Db, filter: Input<typeof pageUserBets>) {
  const ways = { id: on('userId', equals), gameId: equals, phase: equals, status: equals } as const;
  const { totalCount, data } = await page(db, slipsWhere(db, where(filter, ways)), filter);
  return { totalCount, data: await withLines(db, data) };
}

/** What placing a slip is answered with. */
export async function placedSlip(db: Db, slipId: number): Promise<PlacedSlip> {
  const slip = await db.selectFrom('slip').select('stake').where('id', '=', slipId).executeTakeFirstOrThrow();
  const lines = (await linesOf(db, [slipId])).get(slipId) ?? [];
  return {
    slipId,
    stake: slip.stake,
    lines: lines.map(({ id, units, stake, odds, maxPayout }) => ({ id, units, stake, odds, maxPayout })),
  };
}
