import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { errorCode, isPassing } from '#server/db/driver/outage.ts';
import { closing } from './closing.ts';

/** A phase that could not be opened, drawn or promised, and why, for whoever runs the platform. */
export interface FailedPhase {
  readonly gameId: number;
  readonly phase: string;
  readonly reason: string;
  /** The technical words, for the log alone. */
  readonly detail?: string;
}

/** The first wait before a phase is tried again; it doubles up to the longest. */
const FIRST_WAIT = '30 seconds';
const LONGEST_WAIT = '10 minutes';
const LONGEST_REASON = 300;

/** Whether a plan, as `p`, is not set aside. */
export const isNotSetAside = (now: Date): RawBuilder<SqlBool> => sql<SqlBool>`
  not exists (select from draw_alarm a
    where a."gameId" = p."gameId" and a.phase = p.phase and a."nextTime" > ${now}::timestamptz)`;

/** Raises an alarm for each phase, and leaves it alone for a while, the longer the oftener it failed. */
export async function setAside(db: Db, failed: readonly FailedPhase[], now: Date): Promise<void> {
  if (failed.length === 0) return;
  await sql`
    insert into draw_alarm as a ("gameId", phase, reason, "createTime", "lastTime", "nextTime")
    select f.*, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz + ${FIRST_WAIT}::interval
    from unnest(${failed.map(({ gameId }) => gameId)}::bigint[], ${failed.map(({ phase }) => phase)}::text[],
      ${failed.map(({ reason }) => reason.slice(0, LONGEST_REASON))}::text[]) as f
    on conflict ("gameId", phase) do update set reason = excluded.reason, failures = a.failures + 1,
      "lastTime" = excluded."lastTime", "nextTime" = excluded."lastTime"
        + least(${LONGEST_WAIT}::interval, ${FIRST_WAIT}::interval * (2 ^ least(a.failures, 10)))`.execute(
    db,
  );
}

/** What a source has said too early: of which game's phases, and what it is called. */
interface Early {
  readonly gameId: number;
  readonly phases: readonly string[];
  readonly source: string;
}

/**
 * Raises an alarm for the first of these phases that may be bet on, now or later, though a source has its result already: whoever looks there
 * knows it as well. It holds nothing up, and ends as the phase is drawn.
 */
export async function alarmOfEarly(db: Db, { gameId, phases, source }: Early, now: Date): Promise<void> {
  if (phases.length === 0) return;
  const reason = `来源“${source}”在封盘之前已给出该期结果：期号可能与来源不一致，请立即关闭投注并核对`;
  await sql`
    insert into draw_alarm ("gameId", phase, reason, "createTime", "lastTime", "nextTime")
    select p."gameId", p.phase, ${reason}, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from draw_plan p join game g on g.id = p."gameId",
      lateral ${closing}
    where p."gameId" = ${gameId} and p.phase = any(${[...phases]}::text[]) and p.status = 'WAITTING'
      and g.status and g."betStatus" and g."stopBetSecond" >= 2 and ${now}::timestamptz < c.closes
    order by p."startTime" limit 1
    on conflict do nothing`.execute(db);
}

/** Alarms, as `a`, whose plan, as `p`, still is to be drawn; one that was cleared since alarms nobody. */
export const standingAlarms = sql`draw_alarm a join draw_plan p on p."gameId" = a."gameId" and p.phase = a.phase
  and p.status in ('WAITTING', 'OPENING')`;

export async function countAlarms(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${standingAlarms}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Ends the alarms of plans that have come on. */
export async function endAlarms(db: Db, planIds: readonly number[]): Promise<void> {
  await sql`
    delete from draw_alarm a using draw_plan p
    where p.id = any(${[...planIds]}::bigint[]) and a."gameId" = p."gameId" and a.phase = p.phase`.execute(
    db,
  );
}

/** A plan's phase, by the plan's id. */
interface Phase {
  readonly id: number;
  readonly gameId: number;
  readonly phase: string;
}

/** The phases of plans (as `p`) that answer to a condition, the first to be drawn first. */
export async function phasesOf(db: Db, which: RawBuilder<SqlBool>, limit: number): Promise<Phase[]> {
  const { rows } = await sql<Phase>`
    select p.id, p."gameId", p.phase from draw_plan p where ${which} order by p."endTime" limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** What the database says of an order of things that must not be, in the operators' words. */
const refusals: Readonly<Record<string, string>> = {
  DR001: '该期已有开奖结果',
  DR002: '该期仍在投注',
  DR003: '该期只接受它所承诺的结果',
  DR004: '该期没有开奖计划，或已经开奖',
  DR005: '该期的期号与投注的结束不可更改',
  DR007: '该期已作废',
  DR010: '该期在没有承诺时接受过投注',
  DR012: '该期的公开随机值还没有取到',
};

/** What is told of a phase at which something went wrong that nobody foresaw. */
export function failedPhase({ gameId, phase }: Phase, error: unknown): FailedPhase {
  const code = errorCode(error);
  const reason =
    refusals[code] ?? (code ? `数据库错误 ${code}，详情见服务器日志` : '程序出错，详情见服务器日志');
  const detail = error instanceof Error ? error.message : String(error);
  return { gameId, phase, reason: `系统拒绝：${reason}`, detail };
}

interface Work<T> {
  /** Everything that is due, in one go. */
  readonly together: () => Promise<T>;
  /** What is due, looked up when it cannot be done together. */
  readonly due: () => Promise<readonly Phase[]>;
  /** One of them. */
  readonly alone: (id: number) => Promise<T>;
}

/**
 * Does what is due together, and where that fails one by one: a phase that cannot be done is set aside with an alarm and
 * holds no other up. Gives what was done and what failed.
 */
export async function togetherOrAlone<T>(
  db: Db,
  now: Date,
  { together, due, alone }: Work<T>,
): Promise<{ done: T[]; failed: FailedPhase[] }> {
  try {
    return { done: [await together()], failed: [] };
  } catch (error) {
    if (isPassing(error)) throw error;
  }
  const done: T[] = [];
  const failed: FailedPhase[] = [];
  for (const each of await due()) {
    try {
      done.push(await alone(each.id));
    } catch (error) {
      if (isPassing(error)) throw error;
      failed.push(failedPhase(each, error));
    }
  }
  await setAside(db, failed, now);
  return { done, failed };
}
