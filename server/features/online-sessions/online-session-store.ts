import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { OnlineSession, pageOnlineSessions } from '#contract/online-sessions.ts';
import type { Db } from '#server/db/database.ts';
import { containing, within } from '#server/db/search.ts';
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
export async function pageSessions(db: Db, filter: Filter, own: string) {
  const { userName, address, createTimeRange, currentPage, pageSize } = filter;
  let matching = await live(db);
  if (userName) matching = matching.where('o.userName', 'ilike', containing(userName));
  if (address) matching = matching.where('s.address', 'ilike', containing(address));
  if (createTimeRange) matching = matching.where(within('s.createTime', createTimeRange));
  const { totalCount } = await matching
    .select(({ fn }) => fn.countAll<number>().as('totalCount'))
    .executeTakeFirstOrThrow();
  const data: OnlineSession[] = await matching
    .select(['s.id', 's.operatorId', 'o.userName', 's.createTime', 's.address', 's.agent'])
    .select(({ fn }) => [
      fn.coalesce('u.useTime', 's.createTime').as('lastUseTime'),
      fn.coalesce('u.address', 's.address').as('lastAddress'),
    ])
    .select(sql<boolean>`s.id = ${own}::uuid`.as('current'))
    .orderBy('lastUseTime', 'desc')
    .orderBy('s.id')
    .limit(pageSize)
    .offset((currentPage - 1) * pageSize)
    .execute();
  return { totalCount, data };
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
