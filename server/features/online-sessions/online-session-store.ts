import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { OnlineSession, pageOnlineSessions } from '#contract/online-sessions.ts';
import type { Db } from '#server/db/database.ts';
import { type Page, page } from '#server/db/page.ts';
import { contains, on, where, within } from '#server/db/where.ts';
import { endOfSession } from '../sign-in/token-store.ts';

type Filter = Input<typeof pageOnlineSessions>;

/** Sessions that can still be used or renewed, with who is in them and how they were used last. */
async function live(db: Db) {
  const end = await endOfSession(db);
  return db
    .selectFrom('session as s')
    .innerJoin('operator as o', 'o.id', 's.operatorId')
    .leftJoin('session_use as u', 'u.sessionId', 's.id')
    .where('s.revokeTime', 'is', null)
    .where('o.disabled', '=', false)
    .where(
      sql<boolean>`exists (
        select from access_token t where t."sessionId" = s.id and t."expireTime" > now()
        union all select from refresh_token t
        where t."sessionId" = s.id and t."expireTime" > now() and t."spendTime" is null and ${end} > now())`,
    );
}

/** A page of live sessions, those used last first, and how many match in all. */
export async function pageSessions(db: Db, filter: Filter, own: string): Promise<Page<OnlineSession>> {
  const asked = where(filter, {
    userName: on('o.userName', contains),
    address: on('s.address', contains),
    createTimeRange: on('s.createTime', within),
  });
  const sessions = (await live(db))
    .where(asked)
    .select(['s.id', 's.operatorId', 'o.userName', 's.createTime', 's.address', 's.agent'])
    .select(({ fn }) => [
      fn.coalesce('u.useTime', 's.createTime').as('lastUseTime'),
      fn.coalesce('u.address', 's.address').as('lastAddress'),
    ])
    .select(sql<boolean>`s.id = ${own}::uuid`.as('current'));
  return page(db, sessions, filter, sql`"lastUseTime" desc, s.id`);
}

/** A live session and whose it is. */
export async function findLiveSession(db: Db, id: string) {
  const matching = await live(db);
  return matching
    .select(['s.operatorId', 'o.userName', 's.createTime', 's.address', 's.agent'])
    .where('s.id', '=', id)
    .executeTakeFirst();
}

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
