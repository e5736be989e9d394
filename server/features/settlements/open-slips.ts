import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Phase } from './phase.ts';
import type { LineTarget } from './target.ts';
import type { VoidInForce } from './voids-in-force.ts';

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
  { gameId, phase }: Phase,
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
