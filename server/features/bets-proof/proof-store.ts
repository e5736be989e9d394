import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { KeptRules } from './handlers-proof.ts';
import type { KeptLine } from './line.ts';

/** A slip with what decides it: its phase's result, and whether anything of the phase is still to be done. */
export interface KeptSlip {
  readonly id: number;
  readonly userId: number;
  readonly gameId: number;
  readonly phase: string;
  readonly status: string;
  readonly stake: string;
  readonly payout: string;
  readonly refund: string;
  readonly drawTime: string;
  /** The second that it was placed in, since 1970. */
  readonly createTime: number;
  readonly result: string | null;
  /** Some settlement of the phase is not through, or the record has just come and none has begun. */
  readonly isOpen: boolean;
  readonly isHeld: boolean;
}

const keptSlips = sql`
    select s.id, s."userId", s."gameId", s.phase, s.status, s.stake, s.payout, s.refund, s."drawTime",
      floor(extract(epoch from s."createTime"))::bigint as "createTime", r.result,
      exists (select from settlement t where t."gameId" = s."gameId" and t.phase = s.phase and (t.status = 'RUNNING' or t.stopped)) as "isOpen",
      exists (select from slip_hold h where h."slipId" = s.id) as "isHeld"
    from slip s left join draw_record r on r."gameId" = s."gameId" and r.phase = s.phase`;

export async function readSlips(tx: Db, after: number, limit: number): Promise<KeptSlip[]> {
  const { rows } = await sql<KeptSlip>`
    ${keptSlips} where s.id > ${after} order by s.id limit ${limit}`.execute(tx);
  return rows;
}

/** What the players of these slips placed in the same phases before the first of all of them. */
export async function readSlipsBefore(
  tx: Db,
  slips: readonly KeptSlip[],
  first: number,
): Promise<KeptSlip[]> {
  if (slips.length === 0) return [];
  const { rows } = await sql<KeptSlip>`
    ${keptSlips} where s.id < ${first} and (s."gameId", s.phase, s."userId") in (
      select * from unnest(${slips.map(({ gameId }) => gameId)}::bigint[], ${slips.map(({ phase }) => phase)}::text[],
        ${slips.map(({ userId }) => userId)}::bigint[]))`.execute(tx);
  return rows;
}

export async function readLines(tx: Db, slips: readonly number[]): Promise<KeptLine[]> {
  const { rows } = await sql<KeptLine>`
    select id, "slipId", "playWayId", "rulesId", selection, units, "unitStake", stake, status, "winningUnits", "pushedUnits", payout, refund
    from slip_line where "slipId" = any(${[...slips]}::bigint[]) order by id`.execute(tx);
  return rows;
}

export async function readKeptRules(tx: Db, ids: readonly number[]): Promise<Map<number, KeptRules>> {
  const { rows } = await sql<{ id: number; rules: KeptRules }>`
    select id, rules from slip_rules where id = any(${[...ids]}::bigint[])`.execute(tx);
  return new Map(rows.map(({ id, rules }) => [id, rules]));
}

/** A void that nobody took back. */
export interface KeptVoid {
  readonly gameId: number;
  readonly phase: string;
  readonly playWayId: number | null;
  readonly slipId: number | null;
  /** The first and the last second of its time, since 1970. */
  readonly createTimeFrom: number | null;
  readonly createTimeTo: number | null;
}

export async function readVoids(tx: Db, slips: readonly KeptSlip[]): Promise<KeptVoid[]> {
  const { rows } = await sql<KeptVoid>`
    select "gameId", phase, "playWayId", "slipId", extract(epoch from "createTimeFrom")::bigint as "createTimeFrom",
      extract(epoch from "createTimeTo")::bigint as "createTimeTo" from settlement v
    where ("gameId", phase) in (select * from unnest(${slips.map(({ gameId }) => gameId)}::bigint[], ${slips.map(({ phase }) => phase)}::text[]))
      and kind = 'VOID' and not exists (select from settlement u where u.undoes = v.id)`.execute(tx);
  return rows;
}

/** What one order number of a slip moved in the ledger, by kind; what is owed of it counts as moved. */
export interface LedgerPart {
  readonly slipId: number;
  readonly number: string;
  readonly userId: number;
  readonly changeType: string;
  readonly amount: string;
}

/** Rows of the ledger and debts under the numbers that slips have by their settlements. */
export async function readLedger(tx: Db, slips: readonly number[]): Promise<LedgerPart[]> {
  const { rows } = await sql<LedgerPart>`
    with numbers as (
      select id as "slipId", 'B' || id as number from unnest(${[...slips]}::bigint[]) as s (id)
      union all select "slipId", 'B' || "slipId" || '/' || n from slip_settlement where "slipId" = any(${[...slips]}::bigint[]) and n > 1
    )
    select "slipId", number, "userId", "changeType", amount from numbers join account_history on "bizOrderNo" = number
    union all select "slipId", number, "userId", "changeType", amount from numbers join account_debt on "bizOrderNo" = number and kind = 'OWED'`.execute(
    tx,
  );
  return rows;
}

export interface KeptMove {
  readonly slipId: number;
  readonly n: number;
  readonly status: string;
  readonly payout: string;
  readonly refund: string;
  readonly movedPayout: string;
  readonly movedRefund: string;
}

export async function readMoves(tx: Db, slips: readonly number[]): Promise<KeptMove[]> {
  const { rows } = await sql<KeptMove>`
    select "slipId", n, status, payout, refund, "movedPayout", "movedRefund" from slip_settlement
    where "slipId" = any(${[...slips]}::bigint[]) order by "slipId", n`.execute(tx);
  return rows;
}

/** Rows of the ledger after a place that bear a number of slips and belong to none, or to no settlement of it. */
export async function strayRows(db: Db, after: number, limit: number) {
  const { rows } = await sql<{
    last: number | null;
    strays: { number: string; changeType: string; amount: string }[];
  }>`
    with part as materialized (
      select id, "bizOrderNo" as number, "changeType", amount, "userId" from account_history where id > ${after} order by id limit ${limit}
    ), named as (
      select part.*, (regexp_match(number, '^B([0-9]{1,18})(?:/([0-9]{1,9}))?$')) as names from part where number ~ '^B[0-9]{1,18}(/[0-9]{1,9})?$'
    )
    select (select max(id) from part) as last, coalesce((
      select jsonb_agg(jsonb_build_object('number', number, 'changeType', "changeType", 'amount', amount::text) order by named.id)
      from named left join slip s on s.id = names[1]::bigint
      where s.id is null or names[2] is not null and not exists (
        select from slip_settlement m where m."slipId" = s.id and m.n = names[2]::bigint and m.n > 1)), '[]') as strays`.execute(
    db,
  );
  return rows[0] ?? { last: null, strays: [] };
}

/** Settlements whose counters are not the sums of what they did. */
export async function wrongCounters(db: Db) {
  const { rows } = await sql<{ id: number }>`
    select t.id from settlement t cross join lateral (
      select t.slips + coalesce(sum(b.settled), 0) as slips, t.stake + coalesce(sum(b.stake), 0) as stake,
        t.payout + coalesce(sum(b.payout), 0) as payout, t.refund + coalesce(sum(b.refund), 0) as refund
      from settlement_batch b where b."settlementId" = t.id) as told left join (
      select m."settlementId", count(*) as slips, sum(s.stake) as stake, sum("movedPayout") as payout, sum("movedRefund") as refund
      from slip_settlement m join slip s on s.id = m."slipId" group by 1) as done on done."settlementId" = t.id
    where t.status <> 'RUNNING' and (told.slips <> coalesce(done.slips, 0) or told.stake <> coalesce(done.stake, 0)
      or told.payout <> coalesce(done.payout, 0) or told.refund <> coalesce(done.refund, 0)) order by t.id limit 1000`.execute(
    db,
  );
  return rows;
}
