import { sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { keepResults } from '../draw-records/keep-results.ts';
import type { DrawnResult } from './collectors/drawn-result.ts';
import { fetchResults, takeTurn } from './polite-fetch.ts';
import type { SpiderRow } from './spider-store.ts';

/** A run that has not ended by then is taken for dead, and another server runs the spider. A fetch takes 10 s at most. */
const LEASE = '30 seconds';

/** Seconds to the next run while results are due, and otherwise. */
const BUSY_SECONDS = 5;
const IDLE_SECONDS = 300;
const LONGEST_BACK_OFF_SECONDS = 600;
/** Longest of the plans' delays that is still worth asking every few seconds. */
const HOPEFUL = '10 minutes';

/** Between 0 and 1; tests bring their own. */
export type Chance = () => number;

/** Seconds until a spider runs again; failures double the wait up to ten minutes, and chance spreads servers and sources. */
export function secondsToNextRun(failures: number, isDue: boolean, chance: Chance): number {
  const base =
    failures > 0
      ? Math.min(BUSY_SECONDS * 2 ** failures, LONGEST_BACK_OFF_SECONDS)
      : isDue
        ? BUSY_SECONDS
        : IDLE_SECONDS;
  return base * (0.8 + 0.4 * chance());
}

/** Takes spiders whose time has come, each by one server only. */
export async function takeDueSpiders(db: Db, now: Date, limit: number): Promise<SpiderRow[]> {
  const { rows } = await sql<SpiderRow>`
    with due as materialized (
      select id from spider where enabled and url is not null and "nextRunTime" <= ${now}::timestamptz
      order by "nextRunTime" limit ${limit} for update skip locked
    )
    update spider s set "nextRunTime" = ${now}::timestamptz + ${LEASE}::interval from due where s.id = due.id
    returning s.*`.execute(db);
  return rows;
}

/**
 * Lets the spiders of these games run soon: within a few seconds of the draw, spread by chance so that sources are not all
 * asked in the same instant. Those that fail keep waiting.
 */
export async function hurrySpiders(
  db: Db,
  gameIds: readonly number[],
  now: Date,
  chance: Chance,
): Promise<void> {
  if (gameIds.length === 0) return;
  await sql`
    update spider set "nextRunTime" = least("nextRunTime",
      ${now}::timestamptz + (${chance()}::float8 + (id % 16) / 8.0) * interval '1 second')
    where enabled and "gameId" = any(${[...gameIds]}) and "consecutiveFailures" = 0`.execute(db);
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 1_000);

/** How a run went. A source that answers well and says too much has an error to show, but has not failed. */
interface RunEnd {
  readonly error: string | null;
  readonly failed: boolean;
}

async function finish(
  db: Db,
  spider: SpiderRow,
  { error, failed }: RunEnd,
  now: Date,
  chance: Chance,
): Promise<void> {
  const failures = failed ? spider.consecutiveFailures + 1 : 0;
  const [busy, idle] = [true, false].map((isDue) => secondsToNextRun(failures, isDue, chance));
  await sql`
    update spider set "lastRunTime" = ${now}::timestamptz, "lastError" = ${error}, "consecutiveFailures" = ${failures},
      "lastSuccessTime" = case when ${failures} = 0 then ${now}::timestamptz else "lastSuccessTime" end,
      "nextRunTime" = ${now}::timestamptz + interval '1 second' * case when exists (
          select from draw_plan p where p."gameId" = spider."gameId" and p.status = 'OPENING'
            and p."endTime" > ${now}::timestamptz - ${HOPEFUL}::interval)
        then ${busy}::float8 else ${idle}::float8 end
    where id = ${spider.id}`.execute(db);
}

async function postpone(db: Db, { id }: SpiderRow, seconds: number, now: Date): Promise<void> {
  await sql`
    update spider set "nextRunTime" = ${now}::timestamptz + ${seconds}::float8 * interval '1 second' where id = ${id}`.execute(
    db,
  );
}

const NO_DRAWS = '来源没有给出任何开奖结果';

interface RunServices {
  readonly db: Db;
  readonly config: Config;
  readonly clock: () => Date;
  readonly chance: Chance;
}

/** Runs a spider that was taken: fetches, keeps, and writes down how it went. A failure is the spider's, never thrown. */
export async function runSpider(
  { db, config, clock, chance }: RunServices,
  spider: SpiderRow,
): Promise<void> {
  const wait = spider.url === null ? 0 : await takeTurn(db, spider.url);
  if (wait > 0) return postpone(db, spider, wait + chance(), clock());
  const end = await attempt(db, config, clock, spider).catch(
    (failure: unknown): RunEnd => ({ error: messageOf(failure), failed: true }),
  );
  await finish(db, spider, end, clock(), chance);
}

async function attempt(db: Db, config: Config, clock: () => Date, spider: SpiderRow): Promise<RunEnd> {
  const results: readonly DrawnResult[] = await fetchResults(config, spider);
  if (results.length === 0) return { error: NO_DRAWS, failed: true };
  const reading = { gameId: spider.gameId, source: spider.name, results, now: clock() };
  const judged = await db.transaction().execute((tx) => keepResults(tx, reading));
  const early = judged.find(({ outcome }) => outcome === 'EARLY');
  const error = early ? `期号 ${early.phase} 尚未到开奖时间，来源已给出结果，未采用` : null;
  return { error, failed: false };
}
