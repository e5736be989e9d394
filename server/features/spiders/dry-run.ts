import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { DryRunResult } from '#contract/spiders.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { foreseeResults } from '../draw-records/keep-results.ts';
import { SourceUnreadable } from './collectors/drawn-result.ts';
import { sourceNow } from './due-sources.ts';
import { fetchSource, NO_DRAWS, readerOf } from './fetch-source.ts';
import { reserveTurn } from './host-turns.ts';
import { readingOf } from './spider-run.ts';
import type { SpiderRow } from './spider-store.ts';

/** The console waits 15 s, a fetch takes up to 10. */
const PATIENCE_MS = 3_500;

async function awaitTurn(db: Db, host: string, pauseMs: number): Promise<void> {
  const { taken, seconds } = await reserveTurn(db, { host, pauseMs, patienceMs: PATIENCE_MS });
  if (!taken) throw new Refusal('sourceBusy', { values: { seconds: Math.max(1, Math.ceil(seconds)) } });
  await sleep(seconds * 1000);
}

/** Wire text of moments, by the database's session, which is in the platform's zone. */
async function wireTimes(db: Db, moments: readonly (number | null)[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ text: string | null }>`
    select to_timestamp(moment) as text from unnest(${[...moments]}::bigint[]) with ordinality as m (moment, place)
    order by place`.execute(db);
  return rows.map(({ text }) => text);
}

/** The sentence of whatever is the source's fault, as its next run would write it down. */
function sentenceOf(error: unknown): unknown {
  const isTheirs =
    error instanceof Error && (error.name === 'FetchFailed' || error.name === 'SourceUnreadable');
  return isTheirs ? new Refusal('invalid', { values: { message: error.message } }) : error;
}

async function drawsNow(db: Db, config: Config, spider: SpiderRow, now: Date) {
  const source = await sourceNow(db, spider.id, now);
  if (!source) throw new Refusal('nothingToFetch');
  await awaitTurn(db, source.host, spider.pauseMs);
  try {
    const draws = await readerOf(config)(await fetchSource(config, source), spider);
    if (draws.length === 0) throw new SourceUnreadable(NO_DRAWS);
    return draws;
  } catch (error) {
    throw sentenceOf(error);
  }
}

/** What a spider's source gives now and what storing it would do. Throws `Refusal` with what went wrong. */
export async function dryRun(db: Db, config: Config, spider: SpiderRow, now: Date): Promise<DryRunResult[]> {
  const results = await drawsNow(db, config, spider, now);
  const judged = await foreseeResults(db, readingOf(spider, results, now));
  const times = await wireTimes(
    db,
    judged.map(({ openTime }) => openTime),
  );
  return judged.map(({ phase, result, outcome }, index) => ({
    phase,
    result,
    outcome,
    openTime: times[index] ?? null,
  }));
}
