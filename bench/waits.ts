import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

const LOOK_MS = 20;

/** Runs work and tells what the database's sessions waited for meanwhile, most often first; `running` is not waiting. */
export async function waitsDuring<T>(
  db: Db,
  work: () => Promise<T>,
): Promise<{ result: T; waits: [string, number][] }> {
  const seen = new Map<string, number>();
  let over = false;
  const looking = (async () => {
    while (!over) {
      const { rows } = await sql<{ wait: string; n: number }>`
        select coalesce(wait_event_type || ':' || wait_event, 'running') as wait, count(*) as n from pg_stat_activity
        where state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend' group by 1`.execute(
        db,
      );
      for (const { wait, n } of rows) seen.set(wait, (seen.get(wait) ?? 0) + n);
      await sleep(LOOK_MS);
    }
  })();
  const result = await work().finally(() => {
    over = true;
  });
  await looking;
  return { result, waits: [...seen].sort(([, a], [, b]) => b - a) };
}
