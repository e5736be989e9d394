import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { collectors } from './collectors/all.ts';
import { freeTurn } from './host-turns.ts';
import { headersOf } from './request-headers.ts';
import { addressFor } from './source-address.ts';
import type { SpiderRow } from './spider-store.ts';

/** A run that has not ended by then is taken for dead, and another server runs the spider. A fetch takes 10 s at most. */
const LEASE = '30 seconds';
/** Whoever would ask the same within this time shares the fetch. */
const SHARED_WITHIN = '30 seconds';
/** Longest of the plans' delays that is still worth asking every few seconds. */
export const HOPEFUL = '10 minutes';
/** By so much a spider whose game waits for a result goes before one that only looks. */
const HEAD_START = '30 seconds';
/** Looked at in one go; the others' turn comes when these have had theirs. */
const MOST_CANDIDATES = 1_000;

/** One request, and all spiders that its answer is for. */
export interface DueSource {
  readonly host: string;
  /** Null when the address wants a phase and the game has none: there is nothing to be fetched. */
  readonly address: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly spiders: readonly SpiderRow[];
}

const fetching = collectors.filter(({ fetches }) => fetches).map(({ name }) => name);
/** SQL: the spider asks somebody. */
const isAsking = sql`s.host is not null and s."spiderServiceName" = any(${fetching}::text[])`;

interface Candidate extends SpiderRow {
  url: string;
  host: string;
  isDue: boolean;
  phase: string | null;
  date: string;
}

/** SQL of the draw that a spider's address is filled for: see the decision on polite sources. */
const dueDraw = (now: Date) => sql`
  left join lateral (
    select p.phase, p."endTime" from draw_plan p
    where p."gameId" = s."gameId" and p.status = 'OPENING' and p."endTime" > ${now}::timestamptz - ${HOPEFUL}::interval
    order by p."endTime" > coalesce(s."askedTime", '-infinity') desc, p."endTime" limit 1
  ) w on true
  left join lateral (
    select p.phase, p."endTime" from draw_plan p
    where w.phase is null and s.url like '%{%' and p."gameId" = s."gameId" and p."startTime" < ${now}::timestamptz
      and p."endTime" <= ${now}::timestamptz
    order by p."startTime" desc limit 1
  ) l on true`;

/** The draw's phase and day; a draw at midnight belongs to the day that ends. */
const filling = (now: Date) => sql`
  coalesce(w.phase, l.phase) as phase, coalesce(w."endTime", l."endTime") as "askedFor",
  coalesce(coalesce(w."endTime", l."endTime") - interval '1 second', ${now}::timestamptz)::date::text as date`;

const sourceOf = ({ url, headers, host, phase, date }: Candidate): Omit<DueSource, 'spiders'> => ({
  host,
  address: addressFor(url, { phase, date }) ?? null,
  headers: headersOf(headers),
});

/** The source a spider would ask now. */
export async function sourceNow(
  db: Db,
  id: number,
  now: Date,
): Promise<Omit<DueSource, 'spiders'> | undefined> {
  const { rows } = await sql<Candidate>`
    select s.*, ${filling(now)} from spider s ${dueDraw(now)} where s.id = ${id} and ${isAsking}`.execute(db);
  return rows[0] && sourceOf(rows[0]);
}

async function candidates(db: Db, now: Date, busyHosts: readonly string[]): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select s.*, s."nextRunTime" <= ${now}::timestamptz as "isDue", ${filling(now)}
    from spider s left join outbound_host h on h.host = s.host ${dueDraw(now)}
    where s.enabled and ${isAsking} and s.host <> all(${[...busyHosts]}::text[])
      and (h."nextTime" is null or h."nextTime" <= clock_timestamp())
      and s."nextRunTime" <= ${now}::timestamptz
        + case when s.answering then ${SHARED_WITHIN} else '0' end::interval
    order by s."nextRunTime" + case when w.phase is null then ${HEAD_START} else '0' end::interval, w."endTime", s.id
    limit ${MOST_CANDIDATES}`.execute(db);
  return rows;
}

/** Of each host the one request whose turn it is: that of the spider which has waited longest, and of all who ask the same. */
function firstOfEachHost(rows: readonly Candidate[]): DueSource[] {
  const firsts = new Map<string, { key: string; source: DueSource; spiders: SpiderRow[] }>();
  const asked = rows.map((row) => ({ row, source: sourceOf(row) }));
  const keyOf = (source: Omit<DueSource, 'spiders'>) => JSON.stringify([source.address, source.headers]);
  for (const { row, source } of asked) {
    if (!row.isDue || firsts.has(row.host)) continue;
    const spiders: SpiderRow[] = [];
    firsts.set(row.host, { key: keyOf(source), source: { ...source, spiders }, spiders });
  }
  for (const { row, source } of asked) {
    const first = firsts.get(row.host);
    if (first?.key === keyOf(source)) first.spiders.push(row);
  }
  return [...firsts.values()].map(({ source }) => source);
}

/** Takes the host's turn and the spiders in one statement; those that another server took meanwhile are left out. */
async function take(db: Db, now: Date, source: DueSource): Promise<DueSource | undefined> {
  const ids = source.spiders.map(({ id }) => id);
  const { rows } = await sql<{ id: number }>`
    with turn as (${freeTurn(source.host)}), asked as materialized (
      select s.id, coalesce(w."endTime", s."askedTime") as "askedFor" from spider s ${dueDraw(now)} where s.id = any(${ids})
    )
    update spider s set "nextRunTime" = ${now}::timestamptz + ${LEASE}::interval, "askedTime" = asked."askedFor"
    from turn, asked where s.id = asked.id and s.host = turn.host and s.enabled
      and s."nextRunTime" <= ${now}::timestamptz + ${SHARED_WITHIN}::interval
    returning s.id`.execute(db);
  const taken = new Set(rows.map(({ id }) => id));
  const spiders = source.spiders.filter(({ id }) => taken.has(id));
  return spiders.length > 0 ? { ...source, spiders } : undefined;
}

/**
 * Takes what is to be fetched now, each by one server only: of every host that may be asked the request that has waited
 * longest, games that wait for a result first.
 */
export async function takeDueSources(
  db: Db,
  now: Date,
  { room, busyHosts = [] }: { room: number; busyHosts?: readonly string[] },
): Promise<DueSource[]> {
  const taken: DueSource[] = [];
  for (const source of firstOfEachHost(await candidates(db, now, busyHosts))) {
    if (taken.length >= room) break;
    const mine = await take(db, now, source);
    if (mine) taken.push(mine);
  }
  return taken;
}

/** Milliseconds until something is to be fetched, as far as can be told now; nothing when no spider fetches. */
export async function untilNextSource(
  db: Db,
  now: Date,
  busyHosts: readonly string[],
): Promise<number | undefined> {
  const { rows } = await sql<{ wait: number | null }>`
    select (extract(epoch from min(greatest(
      s."nextRunTime" - ${now}::timestamptz, h."nextTime" - clock_timestamp()))) * 1000)::float8 as wait
    from spider s left join outbound_host h on h.host = s.host
    where s.enabled and ${isAsking} and s.host <> all(${[...busyHosts]}::text[])`.execute(db);
  return rows[0]?.wait ?? undefined;
}
