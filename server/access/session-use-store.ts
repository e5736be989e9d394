import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** When and from where sessions were used. */
export interface SessionUse {
  readonly sessionId: string;
  readonly at: Date;
  readonly address: string;
}

/** Notes the last use of sessions; what is over meanwhile is left out. */
export async function keepUses(db: Db, uses: readonly SessionUse[]): Promise<void> {
  const columns = [
    uses.map((use) => use.sessionId),
    uses.map((use) => use.at),
    uses.map((use) => use.address),
  ];
  const [ids, times, addresses] = columns;
  await sql`
    insert into session_use ("sessionId", "useTime", address)
    select s.id, n.at, n.address from session s
      join unnest(${ids}::uuid[], ${times}::timestamptz[], ${addresses}::text[]) n (id, at, address) on n.id = s.id
    order by s.id for key share of s skip locked
    on conflict ("sessionId") do update set "useTime" = excluded."useTime", address = excluded.address
      where session_use."useTime" < excluded."useTime"`.execute(db);
}
