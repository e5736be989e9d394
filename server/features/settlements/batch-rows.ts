import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { type Entry, type Problem, refusing } from '../ledger/ledger-store.ts';
import type { OpenSlip } from './open-slips.ts';
import type { Phase } from './phase.ts';
import type { LineTarget, SlipTarget } from './target.ts';
import { type VoidInForce, voidsInForce } from './voids-in-force.ts';

/** A settlement's work that a transaction has taken: whole rows are one server's until it commits. */
export interface Work extends Phase {
  readonly settlementId: number;
  readonly result: string | null;
  readonly no: number;
  readonly slips: readonly number[];
  readonly voids: readonly VoidInForce[];
}

/**
 * Takes the row of work that comes next, local draws first; others' are passed over. A server that falls silent meanwhile gives it up after
 * some seconds.
 */
export async function takeWork(tx: Db): Promise<Work | undefined> {
  const voids = voidsInForce(sql.ref('s.id'), sql.ref('s.gameId'), sql.ref('s.phase'));
  const { rows } = await sql<Work>`
    select s.id as "settlementId", s."gameId", s.phase, s.result, b.no, b.slips, coalesce((
        select jsonb_agg(jsonb_build_object('id', v.id, 'playWayId', v."playWayId")) ${voids}), '[]') as voids,
      set_config('idle_in_transaction_session_timeout', '3s', true)
    from settlement s join settlement_batch b on b."settlementId" = s.id
    where s.status = 'RUNNING' and b.slips <> '{}' order by s."local" desc, s.id, b.no limit 1 for update of b skip locked`.execute(
    tx,
  );
  return rows[0];
}

/** A slip that a settlement changes, with what that moves and its lines as they are from now on. */
export interface Change {
  readonly slip: OpenSlip;
  readonly n: number;
  readonly target: SlipTarget;
  readonly moving: { readonly payout: string; readonly refund: string };
  readonly lines: readonly { readonly id: number; readonly target: LineTarget }[];
}

/** Money that a change moves. */
export interface Moving {
  readonly slipId: number;
  readonly entry: Entry;
}

/**
 * Writes what slips and lines are from now on, what moves for it, and leaves of the row of work what is not done, in one trip; see
 * `settle_slips` (db/schema.sql). What could not be posted is told with why; then all of it is to be undone.
 */
export async function writeChanges(
  tx: Db,
  { settlementId, no }: Work,
  rest: readonly number[],
  changes: readonly Change[],
  movings: readonly Moving[],
): Promise<Map<number, Problem>> {
  const lines = changes.flatMap((change) => change.lines);
  const of = <T>(value: (change: Change) => T): T[] => changes.map(value);
  const each = <T>(value: (line: LineTarget) => T): T[] => lines.map(({ target }) => value(target));
  const posting = <T>(value: (entry: Entry) => T): T[] => movings.map(({ entry }) => value(entry));
  const written = sql<{ place: number; problem: Problem }>`
    select place, problem from settle_slips(${settlementId}, ${no}, ${[...rest]}::bigint[],
      ${lines.map(({ id }) => id)}::bigint[], ${each(({ status }) => status)}::text[],
      ${each(({ winningUnits }) => winningUnits)}::integer[], ${each(({ pushedUnits }) => pushedUnits)}::integer[],
      ${each(({ payout }) => payout)}::numeric[], ${each(({ refund }) => refund)}::numeric[],
      ${of(({ slip }) => slip.id)}::bigint[], ${of(({ n }) => n)}::integer[], ${of(({ target }) => target.status)}::text[],
      ${of(({ target }) => target.payout)}::numeric[], ${of(({ target }) => target.refund)}::numeric[],
      ${of(({ moving }) => moving.payout)}::numeric[], ${of(({ moving }) => moving.refund)}::numeric[],
      ${posting(({ userId }) => userId)}::bigint[], ${posting(({ changeType }) => changeType)}::text[],
      ${posting(({ amount }) => amount)}::numeric[], ${posting(({ bizOrderNo }) => bizOrderNo)}::text[],
      ${posting(({ desc }) => desc)}::text[], ${posting(({ source }) => source ?? null)}::text[])`.execute(
    tx,
  );
  const { rows } = await refusing(written);
  return new Map(
    rows.flatMap(({ place, problem }) => {
      const slipId = movings[place - 1]?.slipId;
      return slipId === undefined ? [] : [[slipId, problem] as const];
    }),
  );
}

/** A slip that waits for a person, or for another try; with the lines that are the cause. */
export interface Hold {
  readonly slipId: number;
  readonly reason: 'UNREADABLE' | 'UNPOSTED' | 'BIG_WIN';
  readonly problem: string;
  /** What it would be paid. */
  readonly payout: string | null;
  readonly lines: readonly number[];
}

/** Sets slips aside. What could not be posted is tried again after 30 s, then twice as long each time, up to 10 min. */
export async function writeHolds(tx: Db, settlementId: number, holds: readonly Hold[]): Promise<void> {
  if (holds.length === 0) return;
  await sql`
    with held as (
      insert into slip_hold ("slipId", "settlementId", reason, problem, payout, "nextTime")
      select *, case when w.reason = 'UNPOSTED' then now() + interval '30 seconds' end from (
        select w."slipId", ${settlementId}::bigint, w.reason, w.problem, as_money(w.payout)
        from unnest(${holds.map(({ slipId }) => slipId)}::bigint[], ${holds.map(({ reason }) => reason)}::text[],
          ${holds.map(({ problem }) => problem)}::text[], ${holds.map(({ payout }) => payout)}::numeric[])
          as w ("slipId", reason, problem, payout)) as w
      on conflict ("slipId") do update set "settlementId" = excluded."settlementId", reason = excluded.reason,
        problem = excluded.problem, payout = excluded.payout, failures = slip_hold.failures + 1,
        "nextTime" = case when excluded.reason = 'UNPOSTED'
          then now() + least(interval '10 minutes', interval '30 seconds' * 2 ^ least(slip_hold.failures, 5)) end
    ), lines as (
      update slip_line set status = 'HELD' where id = any(${holds.flatMap(({ lines }) => lines)}::bigint[]) and status <> 'HELD'
    )
    update slip set status = 'HELD' where id = any(${holds.map(({ slipId }) => slipId)}::bigint[]) and status <> 'HELD'`.execute(
    tx,
  );
}
