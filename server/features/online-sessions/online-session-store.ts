import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { OnlineSession, pageOnlineSessions as pageOfSessions } from '#contract/online-sessions.ts';
import { operatorOutranks } from '#server/access/grant-rules.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { orderOfFew } from '#server/db/list-order.ts';
import { page } from '#server/db/page.ts';
import type { Page } from '#server/db/reading.ts';
import { contains, on, where, within } from '#server/db/where.ts';
import { endOfSession } from '../sign-in/token-store.ts';

type Filter = Input<typeof pageOfSessions>;

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
export async function pageOnlineSessions(
  db: Db,
  filter: Filter,
  reader: SignedIn,
): Promise<Page<OnlineSession>> {
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
    .select(sql<boolean>`s.id = ${reader.sessionId}::uuid`.as('current'))
    .select(operatorOutranks(reader, sql.ref('s.operatorId')).as('outranks'));
  const usual = sql`"lastUseTime" desc, s.id`;
  return page(db, sessions, filter, orderOfFew(filter.sort, { own: usual, words: ['userName'] }));
}

/** A live session and whose it is. */
export async function findLiveSession(db: Db, id: string) {
  const matching = await live(db);
  return matching
    .select(['s.operatorId', 'o.userName', 's.createTime', 's.address', 's.agent'])
    .where('s.id', '=', id)
    .executeTakeFirst();
}
