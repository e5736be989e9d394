import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type {
  pageHeldSlips as pageOfHeld,
  pageSettlements as pageOfSettlements,
} from '#contract/settlements.ts';
import type { Db } from '#server/db/database.ts';
import { page } from '#server/db/page.ts';
import { equals, where } from '#server/db/where.ts';

/** What a settlement has still to look at, what it holds, and whether it was taken back: looked up for the rows of a page. */
async function standingOf(db: Db, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; waiting: number; held: number; undone: boolean }>`
    select id, coalesce((select sum(cardinality(slips)) from settlement_batch b where b."settlementId" = s.id), 0)::integer as waiting,
      (select count(*) from slip_hold h where h."settlementId" = s.id)::integer as held,
      exists (select from settlement u where u.undoes = s.id) as undone
    from unnest(${[...ids]}::bigint[]) as s (id)`.execute(db);
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

const ways = { id: equals, gameId: equals, phase: equals, kind: equals, status: equals } as const;

/** A page of settlements, the newest first. */
export async function pageSettlements(db: Db, filter: Input<typeof pageOfSettlements>) {
  const { totalCount, data } = await page(
    db,
    db.selectFrom('settlement').selectAll().where(where(filter, ways)),
    filter,
  );
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
export async function pageHeldSlips(db: Db, { id, ...paging }: Input<typeof pageOfHeld>) {
  const held = db
    .selectFrom('slip_hold as h')
    .where('h.settlementId', '=', id)
    .innerJoin('slip as s', 's.id', 'h.slipId')
    .select([
      'h.slipId',
      's.userId',
      'h.reason as cause',
      'h.problem',
      'h.payout',
      'h.released',
      'h.nextTime',
    ]);
  return page(db, held, paging, sql`h."slipId"`);
}
