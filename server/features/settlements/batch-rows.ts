import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { type Entry, type Problem, refusing } from '../ledger/ledger-store.ts';
import type { LineTarget, SlipTarget } from './target.ts';

/** A settlement's work that a transaction has taken: whole rows are one server's until it commits. */
export interface Work {
  readonly settlementId: number;
  readonly gameId: number;
  readonly phase: string;
  readonly result: string | null;
  readonly no: number;
  readonly slips: readonly number[];
  readonly voids: readonly VoidInForce[];
}

/** Voids that are in force for a settlement, whose row says which: begun before it, and not undone by then. */
const inForce = (
  settlementId: RawBuilder<unknown>,
  gameId: RawBuilder<unknown>,
  phase: RawBuilder<unknown>,
) => sql`
  from settlement v where v."gameId" = ${gameId} and v.phase = ${phase} and v.kind = 'VOID' and v.id <= ${settlementId}
    and not exists (select from settlement u where u.undoes = v.id and u.id <= ${settlementId})`;

/**
 * Takes the row of work that comes next, local draws first; others' are passed over. A server that falls silent meanwhile gives it up after
 * some seconds.
 */
export async function takeWork(tx: Db): Promise<Work | undefined> {
  const voids = inForce(sql.ref('s.id'), sql.ref('s.gameId'), sql.ref('s.phase'));
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

/** A line as it stands. */
export interface OpenLine extends LineTarget {
  readonly id: number;
  readonly slipId: number;
  readonly playWayId: number;
  readonly rulesId: number;
  readonly selection: string;
  readonly unitStake: string;
  readonly stake: string;
}

/** A slip as it stands, with its lines. `n` is how many settlements changed it, `voids` those that cover it. */
export interface OpenSlip {
  readonly id: number;
  readonly userId: number;
  readonly status: string;
  readonly stake: string;
  readonly payout: string;
  readonly refund: string;
  readonly drawTime: string;
  readonly n: number;
  readonly isReleased: boolean;
  readonly voids: readonly number[];
  readonly lines: readonly OpenLine[];
}

/** Voids of the phase that are in force for a settlement: begun before it, and not undone by then. */
export interface VoidInForce {
  readonly id: number;
  readonly playWayId: number | null;
}

export async function voidsOf(
  tx: Db,
  { settlementId, gameId, phase }: Pick<Work, 'settlementId' | 'gameId' | 'phase'>,
): Promise<VoidInForce[]> {
  const { rows } = await sql<VoidInForce>`
    select id, "playWayId" ${inForce(sql`${settlementId}::bigint`, sql`${gameId}::bigint`, sql`${phase}::text`)}`.execute(
    tx,
  );
  return rows;
}

const openSlips = (voids: readonly VoidInForce[]) => sql`
  select s.id, "userId", s.status, stake, s.payout, s.refund, "drawTime",
    coalesce((select max(n) from slip_settlement d where d."slipId" = s.id), 0) as n,
    coalesce((select released from slip_hold h where h."slipId" = s.id), false) as "isReleased",
    array(select v.id from settlement v where v.id = any(${voids.map(({ id }) => id)}::bigint[])
      and (v."slipId" is null or v."slipId" = s.id)
      and (v."createTimeFrom" is null or s."createTime" >= v."createTimeFrom" and s."createTime" < v."createTimeTo" + interval '1 second')) as voids,
    (select json_agg(json_build_object('id', l.id, 'slipId', l."slipId", 'playWayId', l."playWayId", 'rulesId', l."rulesId",
        'selection', l.selection, 'unitStake', l."unitStake"::text, 'stake', l.stake::text, 'status', l.status,
        'winningUnits', l."winningUnits", 'pushedUnits', l."pushedUnits", 'payout', l.payout::text, 'refund', l.refund::text) order by l.id)
      from slip_line l where l."slipId" = s.id) as lines
  from slip s`;

/** Slips of a row of work, kept from everybody else: whoever has taken the row is the only one to change them. */
export async function lockSlips(
  tx: Db,
  ids: readonly number[],
  voids: readonly VoidInForce[],
): Promise<OpenSlip[]> {
  const { rows } = await sql<OpenSlip>`
    ${openSlips(voids)} where s.id = any(${[...ids]}::bigint[]) and s.status <> 'CANCELLED' order by s.id for no key update of s`.execute(
    tx,
  );
  return rows;
}

/** Slips of a phase that come after one of an account, accounts together, as they stand; others may change them meanwhile. */
export async function slipsAfter(
  db: Db,
  { gameId, phase }: Pick<Work, 'gameId' | 'phase'>,
  voids: readonly VoidInForce[],
  { after, limit }: { after: Pick<OpenSlip, 'userId' | 'id'>; limit: number },
): Promise<OpenSlip[]> {
  const { rows } = await sql<OpenSlip>`
    ${openSlips(voids)} where "gameId" = ${gameId} and phase = ${phase} and s.status <> 'CANCELLED'
      and ("userId", s.id) > (${after.userId}::bigint, ${after.id}::bigint) order by "userId", s.id limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Other slips of the same phase that these players placed before the last of theirs among these, as they stand. */
export async function slipsBefore(
  db: Db,
  voids: readonly VoidInForce[],
  slips: readonly OpenSlip[],
  users: ReadonlySet<number>,
): Promise<OpenSlip[]> {
  const ids = slips.map(({ id }) => id);
  const last = new Map<number, number>();
  for (const { id, userId } of slips)
    if (users.has(userId)) last.set(userId, Math.max(id, last.get(userId) ?? 0));
  const { rows } = await sql<OpenSlip>`
    ${openSlips(voids)} join unnest(${[...last.keys()]}::bigint[], ${[...last.values()]}::bigint[]) as l ("ofUser", last)
      on l."ofUser" = s."userId" and s.id < l.last
    where (s."gameId", s.phase) = (select "gameId", phase from slip where id = ${ids[0] ?? null}) and s.status <> 'CANCELLED'
      and s.id <> all(${ids}::bigint[]) order by s.id`.execute(db);
  return rows;
}

/** Copies of rules by their ids. They never change: those that are known already are not read again, and what is read is known from then on. */
export async function readRules(
  tx: Db,
  ids: readonly number[],
  known: Map<number, unknown> = new Map(),
): Promise<ReadonlyMap<number, unknown>> {
  const missing = [...new Set(ids)].filter((id) => !known.has(id));
  if (missing.length === 0) return known;
  const { rows } = await sql<{ id: number; rules: unknown }>`
    select id, rules from slip_rules where id = any(${missing}::bigint[])`.execute(tx);
  for (const { id, rules } of rows) known.set(id, rules);
  return known;
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
