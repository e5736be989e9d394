import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** How long a host that no spider names is left alone between two fetches. */
const USUAL_PAUSE_MS = 3_000;

/** The longest pause that any enabled spider of a host asks for, and at least this one: the politest counts for all. */
const pauseAt = (host: string, atLeastMs: number): RawBuilder<unknown> => sql`
  (select greatest(coalesce(max("pauseMs"), ${atLeastMs}::integer), ${atLeastMs}::integer) * interval '1 millisecond'
    from spider where enabled and host = ${host})`;

/** SQL that takes the turn at a host if it is free, and gives its row then; by the database's clock, so that servers agree. */
export const freeTurn = (host: string): RawBuilder<unknown> => sql`
  insert into outbound_host as h (host, "nextTime") values (${host}, clock_timestamp() + ${pauseAt(host, 0)})
  on conflict (host) do update set "nextTime" = excluded."nextTime" where h."nextTime" <= clock_timestamp()
  returning host`;

/** A turn that was taken, and how many seconds it is away; or, not taken, how many seconds the next one is. */
export interface Turn {
  readonly taken: boolean;
  readonly seconds: number;
}

/**
 * Takes the next turn at a host when it comes within `patienceMs`, also one that is still to come: whoever asks later gets a
 * later one.
 */
export async function reserveTurn(
  db: Db,
  { host, pauseMs = USUAL_PAUSE_MS, patienceMs }: { host: string; pauseMs?: number; patienceMs: number },
): Promise<Turn> {
  const pause = pauseAt(host, pauseMs);
  const patience = sql`${patienceMs}::float8 * interval '1 millisecond'`;
  const { rows } = await sql<{ seconds: number }>`
    insert into outbound_host as h (host, "nextTime") values (${host}, clock_timestamp() + ${pause})
    on conflict (host) do update set "nextTime" = greatest(h."nextTime", clock_timestamp()) + ${pause}
      where h."nextTime" <= clock_timestamp() + ${patience}
    returning extract(epoch from "nextTime" - ${pause} - clock_timestamp())::float8 as seconds`.execute(db);
  if (rows[0]) return { taken: true, seconds: Math.max(0, rows[0].seconds) };
  const { rows: waiting } = await sql<{ seconds: number }>`
    select extract(epoch from "nextTime" - clock_timestamp())::float8 as seconds from outbound_host where host = ${host}`.execute(
    db,
  );
  return { taken: false, seconds: Math.max(0, waiting[0]?.seconds ?? 0) };
}
