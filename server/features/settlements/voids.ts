import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { voidPhase as voiding } from '#contract/settlements.ts';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import { Refusal } from '#server/refusal.ts';
import { closing } from '../draw-plans/closing.ts';
import { lockPhase, type Phase } from './phase.ts';

/** What a void covers. */
type Scope = Omit<Input<typeof voiding>, 'reason'>;

/** Who voids or takes back, and why. */
export interface Act {
  readonly operatorId: number;
  readonly userName: string;
  readonly reason: string;
}

/**
 * Refuses where slips of the phase wait for their settlement, or will once a void that was taken back has been worked on, and keeps others from
 * bringing them back to that until the transaction ends.
 */
export async function demandNothingUnsettled(tx: Db, phase: Phase): Promise<void> {
  await lockPhase(tx, phase);
  const { rows } = await sql`
    select where exists (
        select from slip where "gameId" = ${phase.gameId} and phase = ${phase.phase} and status in ('PENDING', 'HELD'))
      or exists (
        select from settlement
        where "gameId" = ${phase.gameId} and phase = ${phase.phase} and kind = 'UNVOID' and status <> 'DONE')`.execute(
    tx,
  );
  if (rows.length > 0) throw new Refusal('phaseUnsettled', { values: { phase: phase.phase } });
}

async function demandClosed(tx: Db, { gameId, phase }: Scope): Promise<void> {
  const { rows } = await sql<{ isClosed: boolean }>`
    select clock_timestamp() >= c.closes as "isClosed" from draw_plan p join game g on g.id = p."gameId",
      lateral ${closing}
    where p."gameId" = ${gameId} and p.phase = ${phase}`.execute(tx);
  const [plan] = rows;
  if (!plan) throw new Refusal('phaseUnknown', { field: 'phase', values: { phase } });
  if (!plan.isClosed) throw new Refusal('phaseNotClosed', { field: 'phase', values: { phase } });
}

/** Voids of the same scope that nobody took back. */
async function demandNew(tx: Db, { gameId, phase, playWayId, createTimeRange }: Scope): Promise<void> {
  const [from, to] = createTimeRange ?? [null, null];
  const { rows } = await sql`
    select from settlement v where "gameId" = ${gameId} and phase = ${phase} and kind = 'VOID' and "slipId" is null
      and ("playWayId" is null or "playWayId" = ${playWayId ?? null}::bigint)
      and ("createTimeFrom" is null or "createTimeFrom" <= ${from}::timestamptz and "createTimeTo" >= ${to}::timestamptz)
      and not exists (select from settlement u where u.undoes = v.id) limit 1`.execute(tx);
  if (rows.length > 0) throw new Refusal('voidedBefore');
}

interface Covered {
  readonly slips: number;
  readonly stake: string;
  readonly payout: string;
}

/** What lines of slips a void would give back that are not given back yet, and the payouts of them that it would take back, below zero. */
async function covered(tx: Db, { gameId, phase, playWayId, createTimeRange }: Scope): Promise<Covered> {
  const all: RawBuilder<SqlBool> = sql`true`;
  const ofPlayWay = playWayId === undefined ? all : sql<SqlBool>`l."playWayId" = ${playWayId}`;
  const inTime = createTimeRange
    ? sql<SqlBool>`s."createTime" >= ${createTimeRange[0]}::timestamptz
        and s."createTime" < ${createTimeRange[1]}::timestamptz + interval '1 second'`
    : all;
  const { rows } = await sql<Covered>`
    select count(distinct s.id)::integer as slips, as_money(coalesce(sum(l.stake), 0)) as stake,
      as_money(-coalesce(sum(l.payout), 0)) as payout
    from slip s join slip_line l on l."slipId" = s.id
    where s."gameId" = ${gameId} and s.phase = ${phase} and s.status <> 'CANCELLED' and l.status <> 'VOID'
      and ${ofPlayWay} and ${inTime}`.execute(tx);
  return rows[0] ?? { slips: 0, stake: '0', payout: '0' };
}

/**
 * Begins the settlement that voids. What is settled already is settled anew by it, with the record's result; where sources disagree about
 * that, only a void of the whole phase does not wait for them. To be called in a transaction. Gives its id and what it covers.
 */
export async function beginVoid(tx: Db, scope: Scope, { operatorId, userName, reason }: Act) {
  const { gameId, phase, createTimeRange } = scope;
  const playWayId = scope.playWayId ?? null;
  await demandClosed(tx, scope);
  await lockPhase(tx, scope);
  await demandNew(tx, scope);
  const told = await covered(tx, scope);
  if (told.slips === 0) throw new Refusal('voidsNothing');
  const [from, to] = createTimeRange ?? [null, null];
  const isWhole = playWayId === null && from === null;
  const { rows } = await sql<{ id: number }>`
    insert into settlement (kind, "gameId", phase, "recordId", result, "local", "playWayId", "createTimeFrom", "createTimeTo",
      "operatorId", "userName", reason, status, stopped, problem)
    select 'VOID', ${gameId}, ${phase}, r.id, r.result, coalesce(r.seed is not null, false), ${playWayId}::bigint, ${from}::timestamptz,
      ${to}::timestamptz, ${operatorId}, ${userName}, ${reason}, case when waits then 'HELD' else 'RUNNING' end, waits,
      case when waits then '开奖结果有冲突' end
    from (select) as one left join draw_record r on r."gameId" = ${gameId} and r.phase = ${phase},
      lateral (select coalesce(r.conflict, false) and not ${isWhole}::boolean as waits) as w
    returning id`.execute(tx);
  return { id: given(rows[0]).id, ...told };
}

interface Voided {
  readonly kind: string;
  readonly slips: number;
  readonly stake: string;
  readonly isUndone: boolean;
  readonly isNeverDrawn: boolean;
  /** Nobody waits for its result, so nobody would be told of the slips that do. */
  readonly isUnawaited: boolean;
  /** One slip's, whose draw time has come. */
  readonly isDrawnAlone: boolean;
}

/**
 * Begins the settlement that takes a void back. Whether it may is asked once nobody else can begin one: another may have taken it back, or a
 * slip's draw time have come, meanwhile. To be called in a transaction. Gives its id and what was void.
 */
export async function beginUnvoid(tx: Db, settlementId: number, { operatorId, userName, reason }: Act) {
  const phase = await tx
    .selectFrom('settlement')
    .select(['gameId', 'phase'])
    .where('id', '=', settlementId)
    .executeTakeFirst();
  if (!phase) throw new Refusal('recordNotFound');
  await lockPhase(tx, phase);
  const { rows } = await sql<Voided>`
    select kind, slips, stake, exists (select from settlement u where u.undoes = s.id) as "isUndone",
      exists (select from draw_void d where d."gameId" = s."gameId" and d.phase = s.phase) as "isNeverDrawn",
      exists (select from draw_plan p where p."gameId" = s."gameId" and p.phase = s.phase
        and p.status = 'OPENING' and p."unawaitedReason" is not null) as "isUnawaited",
      exists (select from slip where slip.id = s."slipId" and slip."drawTime" <= clock_timestamp()) as "isDrawnAlone"
    from settlement s where id = ${settlementId}`.execute(tx);
  const voided = given(rows[0]);
  const wrong = (why: 'notVoided' | 'unvoidedBefore' | 'neverDrawn' | 'unvoidUnawaited' | 'slipDrawn') =>
    new Refusal(why, { field: 'settlementId' });
  if (voided.kind !== 'VOID') throw wrong('notVoided');
  if (voided.isUndone) throw wrong('unvoidedBefore');
  if (voided.isNeverDrawn) throw wrong('neverDrawn');
  if (voided.isUnawaited) throw wrong('unvoidUnawaited');
  if (voided.isDrawnAlone) throw wrong('slipDrawn');
  const begun = await sql<{ id: number }>`
    insert into settlement (kind, "gameId", phase, "recordId", result, "local", undoes, "operatorId", "userName", reason, status, stopped, problem)
    select 'UNVOID', v."gameId", v.phase, r.id, r.result, coalesce(r.seed is not null, false), v.id, ${operatorId}, ${userName}, ${reason},
      case when r.conflict then 'HELD' else 'RUNNING' end, coalesce(r.conflict, false), case when r.conflict then '开奖结果有冲突' end
    from settlement v left join draw_record r on r."gameId" = v."gameId" and r.phase = v.phase where v.id = ${settlementId}
    returning id`.execute(tx);
  const { slips, stake } = voided;
  return { id: given(begun.rows[0]).id, ...phase, slips, stake };
}
