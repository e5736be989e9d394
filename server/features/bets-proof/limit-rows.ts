import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { KeptRules } from './handlers-proof.ts';
import { readKeptRules } from './proof-store.ts';

/** What a row of limits says of those that are counted. */
export interface KeptLimit {
  readonly gameId: number | null;
  readonly playWayId: number | null;
  readonly maxUserStake: string | null;
  readonly maxNumberPayout: string | null;
  readonly maxLoss: string | null;
}

export interface KeptCounter {
  readonly kind: string;
  readonly scope: string;
  readonly owner: number;
  readonly number: string;
  readonly taken: string;
  readonly worst: string;
  readonly bound: string;
  readonly isFloored: boolean;
}

/** A line that counts, with its copy of the rules. */
export interface TakenLine {
  readonly userId: number;
  readonly playWayId: number;
  readonly selection: string;
  readonly unitStake: string;
  readonly stake: string;
  readonly maxPayout: string;
  readonly book: string | null;
  readonly mayPush: boolean;
  readonly rules: KeptRules;
}

/** Phases whose counters go by the limits of now. */
const counted = sql`
  p."endTime" > now() - interval '36 hours' and p."endTime" > coalesce(c."limitsTime", '-infinity')
  and p."startTime" <= now() + interval '1 minute'`;

/** Phases of the last day and a half that have counters, or slips that should have. */
export async function countedPhases(db: Db) {
  const { rows } = await sql<{ gameId: number; phase: string }>`
    select p."gameId", p.phase from draw_plan p join game_catalogue c using ("gameId")
    where ${counted} and (
      exists (select from limit_counter t where t."gameId" = p."gameId" and t.phase = p.phase)
      or counts_limits(p."gameId") and exists (select from slip s where s."gameId" = p."gameId" and s.phase = p.phase))
    order by p."endTime", p.id`.execute(db);
  return rows;
}

/** Whether the limits were not changed since. */
export async function isCountedStill(tx: Db, gameId: number, phase: string): Promise<boolean> {
  const { rows } = await sql`
    select from draw_plan p join game_catalogue c using ("gameId")
    where p."gameId" = ${gameId} and p.phase = ${phase} and ${counted}`.execute(tx);
  return rows.length > 0;
}

export async function readLimits(tx: Db): Promise<KeptLimit[]> {
  return tx
    .selectFrom('bet_limit')
    .select(['gameId', 'playWayId', 'maxUserStake', 'maxNumberPayout', 'maxLoss'])
    .execute();
}

export async function readCounters(tx: Db, gameId: number, phase: string): Promise<KeptCounter[]> {
  return tx
    .selectFrom('limit_counter')
    .select(['kind', 'scope', 'owner', 'number', 'taken', 'worst', 'bound', 'isFloored'])
    .where('gameId', '=', gameId)
    .where('phase', '=', phase)
    .execute();
}

const USERS_AT_ONCE = 500;

/** The last of the next players of a phase. */
async function lastOfNext(tx: Db, gameId: number, phase: string, after: number): Promise<number | null> {
  const { rows } = await sql<{ user: number | null }>`
    select max("userId") as user from (
      select distinct "userId" from slip where "gameId" = ${gameId} and phase = ${phase} and "userId" > ${after}
      order by 1 limit ${USERS_AT_ONCE}) as next`.execute(tx);
  return rows[0]?.user ?? null;
}

/** The lines of a phase that take of its limits, some players' at a time. */
export async function* takenLines(tx: Db, gameId: number, phase: string): AsyncGenerator<TakenLine[]> {
  const rules = new Map<number, KeptRules>();
  for (let after = 0; ; ) {
    const last = await lastOfNext(tx, gameId, phase, after);
    if (last === null) return;
    const { rows } = await sql<Omit<TakenLine, 'rules'> & { rulesId: number }>`
      select s."userId", l."playWayId", l.selection, l."unitStake", l.stake, l."maxPayout", r.book, r."mayPush", l."rulesId"
      from slip s join slip_line l on l."slipId" = s.id join slip_rules r on r.id = l."rulesId"
      where s."gameId" = ${gameId} and s.phase = ${phase} and not s."testAccount" and l.status not in ('CANCELLED', 'VOID')
        and s."userId" > ${after} and s."userId" <= ${last}`.execute(tx);
    const missing = [...new Set(rows.map(({ rulesId }) => rulesId))].filter((id) => !rules.has(id));
    for (const [id, each] of await readKeptRules(tx, missing)) rules.set(id, each);
    yield rows.flatMap(({ rulesId, ...line }) => {
      const own = rules.get(rulesId);
      return own ? [{ ...line, rules: own }] : [];
    });
    after = last;
  }
}
