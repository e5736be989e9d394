import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type {
  pageHeldSlips as pageOfHeld,
  pageSettlements as pageOfSettlements,
} from '#contract/settlements.ts';
import type { Db } from '#server/db/database.ts';
import { newestPage } from '#server/db/newest-page.ts';

/** What a settlement has still to look at, what it holds, and whether it was taken back: looked up for the rows of a page. */
async function standingOf(db: Db, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; waiting: number; held: number; undone: boolean }>`
    select id, coalesce((select sum(cardinality(slips)) from settlement_batch b where b."settlementId" = s.id), 0)::integer as waiting,
      (select count(*) from slip_hold h where h."settlementId" = s.id)::integer as held,
      exists (select from settlement u where u.undoes = s.id) as undone
    from unnest(${[...ids]}::bigint[]) as s (id)`.execute(db);
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

/** A page of settlements, the newest first. */
export async function pageSettlements(db: Db, filter: Input<typeof pageOfSettlements>) {
  let matching = db.selectFrom('settlement');
  for (const field of ['id', 'gameId', 'phase', 'kind', 'status'] as const)
    if (filter[field] !== undefined) matching = matching.where(field, '=', filter[field]);
  const { totalCount, data } = await newestPage(matching, filter);
  const standing = await standingOf(
    db,
    data.map(({ id }) => id),
  );
  const untouched = { waiting: 0, held: 0, undone: false };
  return {
    totalCount,
    data: data.map((row) => {
      const { id, gameId, phase, kind, result, status, slips, stake, payout, refund, total } = row;
      const { startTime, endTime, problem, playWayId, createTimeFrom, createTimeTo } = row;
      const { slipId, userName, reason } = row;
      return {
        ...{ id, gameId, phase, kind, result, status, slips, stake, payout, refund, total },
        ...{ startTime, endTime, problem, playWayId, createTimeFrom, createTimeTo, slipId, userName, reason },
        ...(standing.get(id) ?? untouched),
      };
    }),
  };
}

/** A page of the slips that a settlement set aside. */
export async function pageHeldSlips(db: Db, { id, currentPage, pageSize }: Input<typeof pageOfHeld>) {
  const held = db.selectFrom('slip_hold as h').where('h.settlementId', '=', id);
  const { totalCount } = await held
    .select(({ fn }) => fn.countAll<number>().as('totalCount'))
    .executeTakeFirstOrThrow();
  const data = await held
    .innerJoin('slip as s', 's.id', 'h.slipId')
    .select([
      'h.slipId',
      's.userId',
      'h.reason as cause',
      'h.problem',
      'h.payout',
      'h.released',
      'h.nextTime',
    ])
    .orderBy('h.slipId')
    .limit(pageSize)
    .offset((currentPage - 1) * pageSize)
    .execute();
  return { totalCount, data };
}
