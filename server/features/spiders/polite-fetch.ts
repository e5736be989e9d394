import { sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { type Fetched, fetchBody } from '../outbound/fetch-body.ts';
import { collectorNamed } from './collectors/all.ts';
import { type DrawnResult, SourceUnreadable } from './collectors/drawn-result.ts';
import { readSource } from './read-source.ts';
import type { SpiderRow } from './spider-store.ts';

/** Between two fetches of one host, by whichever server. */
const HOST_PAUSE = '3 seconds';

/**
 * Takes the next turn at a host; nothing to wait for then. Otherwise gives the seconds until it is free, and takes no turn.
 * By the database's clock, so that servers agree.
 */
export async function takeTurn(db: Db, url: string): Promise<number> {
  const host = new URL(url).host;
  const { numAffectedRows } = await sql`
    insert into outbound_host as h (host, "nextTime") values (${host}, clock_timestamp() + ${HOST_PAUSE}::interval)
    on conflict (host) do update set "nextTime" = excluded."nextTime" where h."nextTime" <= clock_timestamp()`.execute(
    db,
  );
  if (Number(numAffectedRows ?? 0) > 0) return 0;
  const { rows } = await sql<{ left: number }>`
    select extract(epoch from "nextTime" - clock_timestamp())::float8 as left from outbound_host where host = ${host}`.execute(
    db,
  );
  return Math.max(0.05, rows[0]?.left ?? 0.05);
}

function demandGood({ status }: Fetched): void {
  if (status < 200 || status > 299) throw new SourceUnreadable(`来源返回 HTTP ${status}`);
}

/** Draws that a source gives now; its host's turn must have been taken. Throws with a Chinese sentence. */
export async function fetchResults(config: Config, spider: SpiderRow): Promise<DrawnResult[]> {
  const collector = collectorNamed(spider.spiderServiceName);
  if (!collector?.fetches || spider.url === null) return [];
  const fetched = await fetchBody(spider.url, { allowedHosts: config.spiderAllowedHosts });
  demandGood(fetched);
  const { contentType, body } = fetched;
  const { options } = spider;
  return readSource({ collector: collector.name, contentType, body, options, timeZone: config.timeZone });
}
