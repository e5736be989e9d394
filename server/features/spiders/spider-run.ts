import { type SqlBool, sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { DrawnResult } from '../draw-records/drawn-result.ts';
import { complaintOf, keepResults } from '../draw-records/keep-results.ts';
import { type DueSource, HOPEFUL } from './due-sources.ts';
import { fetchSource, NO_DRAWS, NO_PHASE, readerOf } from './fetch-source.ts';
import { addressKey } from './source-address.ts';
import type { SpiderRow } from './spider-store.ts';

/** Seconds to the next run while results are due, and otherwise. */
const BUSY_SECONDS = 5;
const IDLE_SECONDS = 300;
const LONGEST_BACK_OFF_SECONDS = 600;

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

/**
 * Lets the spiders of these games run soon: within a few seconds of the draw, spread by chance so that sources are not all
 * asked in the same instant; those of one address together. Those whose source does not answer keep waiting.
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
      ${now}::timestamptz + (${chance()}::float8 + (hashtext(url) & 15) / 8.0) * interval '1 second')
    where enabled and "gameId" = any(${[...gameIds]}) and answering and url is not null`.execute(db);
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 1_000);

/**
 * How a run went. A source that answers well and says too much has an error to show, but has not failed; one that says
 * nothing has failed, yet is answering.
 */
interface RunEnd {
  readonly error: string | null;
  readonly failed: boolean;
  readonly answering: boolean;
}

/** The spider as it was when its source was asked; whoever edits it asks anew, and for one that is gone nobody asked. */
const asAsked = ({ id, version }: SpiderRow) => sql<SqlBool>`id = ${id} and version = ${version}`;

const isAsAsked = async (db: Db, spider: SpiderRow): Promise<boolean> =>
  (await sql`select from spider where ${asAsked(spider)}`.execute(db)).rows.length > 0;

async function finish(
  db: Db,
  spider: SpiderRow,
  { error, failed, answering }: RunEnd,
  now: Date,
  chance: Chance,
): Promise<void> {
  const failures = failed ? spider.consecutiveFailures + 1 : 0;
  const [busy, idle] = [true, false].map((isDue) =>
    secondsToNextRun(answering ? 0 : failures, isDue, chance),
  );
  await sql`
    update spider set "lastRunTime" = ${now}::timestamptz, "lastError" = ${error}, "consecutiveFailures" = ${failures},
      answering = ${answering},
      "lastSuccessTime" = case when ${failures} = 0 then ${now}::timestamptz else "lastSuccessTime" end,
      "nextRunTime" = ${now}::timestamptz + interval '1 second' * case when exists (
          select from draw_plan p where p."gameId" = spider."gameId" and p.status = 'OPENING'
            and p."endTime" > ${now}::timestamptz - ${HOPEFUL}::interval)
        then ${busy}::float8 else ${idle}::float8 end
    where ${asAsked(spider)}`.execute(db);
}

interface RunServices {
  readonly db: Db;
  readonly config: Config;
  readonly clock: () => Date;
  readonly chance: Chance;
}

/**
 * Asks a source that was taken: fetches once, keeps what it says for every spider that is as it was, and writes down how each went. A
 * failure is the spider's, never thrown.
 */
export async function runSource(services: RunServices, source: DueSource): Promise<void> {
  const { db, config, clock } = services;
  // Whoever asks the same goes on doing so at the same time.
  const part = services.chance();
  if (source.address === null) {
    for (const spider of source.spiders)
      await finish(db, spider, { error: NO_PHASE, failed: true, answering: true }, clock(), () => part);
    return;
  }
  const fetching = fetchSource(config, source);
  const read = readerOf(config);
  for (const spider of source.spiders) {
    const end = await attempt(services, spider, async () => read(await fetching, spider)).catch(
      (failure: unknown): RunEnd => ({ error: messageOf(failure), failed: true, answering: false }),
    );
    await finish(db, spider, end, clock(), () => part);
  }
}

/** What a spider read, said in its name. */
export const readingOf = (
  { id, gameId, name, url }: SpiderRow,
  results: readonly DrawnResult[],
  now: Date,
) => ({
  ...{ gameId, source: name, results, now },
  speaker: { spiderId: id, address: addressKey(url ?? '') },
});

async function attempt(
  { db, clock }: RunServices,
  spider: SpiderRow,
  read: () => ReturnType<ReturnType<typeof readerOf>>,
): Promise<RunEnd> {
  const results = await read();
  // Asked for one draw alone, a source that has not got it yet is in order.
  const asksForOne = spider.url?.includes('{phase}') ?? false;
  if (results.length === 0) return { error: NO_DRAWS, failed: !asksForOne, answering: true };
  const reading = readingOf(spider, results, clock());
  const judged = await db
    .transaction()
    .execute(async (tx) => ((await isAsAsked(tx, spider)) ? keepResults(tx, reading) : []));
  return { error: complaintOf(judged) ?? null, failed: false, answering: true };
}
