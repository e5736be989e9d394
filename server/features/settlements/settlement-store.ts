import { sql } from 'kysely';
import type { Input, Output } from '#contract/endpoint.ts';
import type {
  pageHeldSlips as pageOfHeld,
  pageSettlements as pageOfSettlements,
  sumSettlements as sumOfSettlements,
} from '#contract/settlements.ts';
import type { Db } from '#server/db/database.ts';
import { page } from '#server/db/page.ts';
import { equals, literally, where } from '#server/db/where.ts';
import { given } from '#server/given.ts';
import { isBigWin } from './holds.ts';

interface Standing {
  readonly waiting: number;
  readonly held: number;
  readonly bigWins: number;
  readonly undone: boolean;
  readonly slips: number;
  readonly stake: string;
  readonly payout: string;
  readonly refund: string;
}

/** What a settlement did by now, has still to look at and holds, and whether it was taken back: looked up for the rows of a page. */
async function standingOf(db: Db, ids: readonly number[]) {
  const { rows } = await sql<Standing & { id: number }>`
    select s.id, w.waiting, h.held, h."bigWins", exists (select from settlement u where u.undoes = s.id) as undone,
      (s.slips + w.slips)::integer as slips, as_money(s.stake + w.stake) as stake,
      as_money(s.payout + w.payout) as payout, as_money(s.refund + w.refund) as refund
    from settlement s, lateral (
      select count(*)::integer as held, (count(*) filter (where ${isBigWin}))::integer as "bigWins"
      from slip_hold h where h."settlementId" = s.id) as h, lateral (
      select coalesce(sum(cardinality(b.slips)), 0)::integer as waiting, coalesce(sum(b.settled), 0) as slips,
        coalesce(sum(b.stake), 0) as stake, coalesce(sum(b.payout), 0) as payout, coalesce(sum(b.refund), 0) as refund
      from settlement_batch b where b."settlementId" = s.id) as w
    where s.id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

const ways = { id: equals, gameId: equals, phase: equals, kind: literally, status: literally } as const;

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
  return {
    totalCount,
    data: data.map((row) => {
      const { id, gameId, phase, kind, result, status, total } = row;
      const { startTime, endTime, problem, playWayId, createTimeFrom, createTimeTo } = row;
      const { slipId, userName, reason } = row;
      return {
        ...{ id, gameId, phase, kind, result, status, total },
        ...{ startTime, endTime, problem, playWayId, createTimeFrom, createTimeTo, slipId, userName, reason },
        ...given(standing.get(id)),
      };
    }),
  };
}

/** What the settlements that match did by now. */
export async function sumSettlements(
  db: Db,
  filter: Input<typeof sumOfSettlements>,
): Promise<Output<typeof sumOfSettlements>> {
  const { rows } = await sql<Output<typeof sumOfSettlements>>`
    with found as (select id, stake, payout, refund from settlement where ${where(filter, ways)})
    select as_money(coalesce(sum(stake), 0)) as stake, as_money(coalesce(sum(payout), 0)) as payout,
      as_money(coalesce(sum(refund), 0)) as refund
    from (
      select stake, payout, refund from found
      union all
      select b.stake, b.payout, b.refund from settlement_batch b join found f on f.id = b."settlementId") as moved`.execute(
    db,
  );
  return rows[0] ?? { stake: '0.00', payout: '0.00', refund: '0.00' };
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
