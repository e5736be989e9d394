import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { DryRunResult } from '#contract/spiders.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { judgeResults } from '../draw-records/keep-results.ts';
import { fetchResults, takeTurn } from './polite-fetch.ts';
import type { SpiderRow } from './spider-store.ts';

/** The console waits 15 s, a fetch takes up to 10. */
const PATIENCE_MS = 3_500;

async function awaitTurn(db: Db, url: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (let left = await takeTurn(db, url); left > 0; left = await takeTurn(db, url)) {
    if (performance.now() + left * 1000 > end) throw new Refusal('sourceBusy');
    await sleep(left * 1000);
  }
}

/** Wire text of moments, by the database's session, which is in the platform's zone. */
async function wireTimes(db: Db, moments: readonly (number | null)[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ text: string | null }>`
    select to_timestamp(moment) as text from unnest(${[...moments]}::bigint[]) with ordinality as m (moment, place)
    order by place`.execute(db);
  return rows.map(({ text }) => text);
}

/** What a spider's source gives now and what storing it would do. Throws `Refusal` with what went wrong. */
export async function dryRun(db: Db, config: Config, spider: SpiderRow, now: Date): Promise<DryRunResult[]> {
  if (spider.url === null) throw new Refusal('nothingToFetch');
  await awaitTurn(db, spider.url);
  const results = await fetchResults(config, spider).catch((error: unknown) => {
    if (error instanceof Refusal || !(error instanceof Error)) throw error;
    if (error.name === 'FetchFailed' || error.name === 'SourceUnreadable')
      throw new Refusal('invalid', { values: { message: error.message } });
    throw error;
  });
  const judged = await judgeResults(db, { gameId: spider.gameId, results, now });
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
