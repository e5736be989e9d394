import { sql } from 'kysely';
import type { UserPage } from '#contract/user-pages.ts';
import type { Db } from '#server/db/database.ts';
import { readTogether } from '#server/db/read-together.ts';

/** More invited players than these are not counted. */
const MOST_INVITED = 10_000;

const playerWithAccount = (db: Db, id: number) =>
  db
    .selectFrom('player as p')
    .innerJoin('account as a', 'a.userId', 'p.id')
    .leftJoin('player as up', 'up.id', 'p.parentId')
    .selectAll('p')
    .select(['a.id as accountId', 'a.totalAmount', 'a.availableAmount', 'a.freezeAmount', 'a.debt'])
    .select('up.nickName as parentName')
    .where('p.id', '=', id);

type Around = Pick<UserPage, 'agents' | 'invited' | 'invitedMore'>;

const around = (id: number) => sql<Around>`
  select least(n, ${MOST_INVITED}) as invited, n > ${MOST_INVITED} as "invitedMore",
    (select coalesce(jsonb_agg(jsonb_build_object('agentId', (c.agent ->> 'id')::bigint, 'name', a.name) order by c.place), '[]')
      from player p cross join lateral jsonb_array_elements(agent_chain(p."agentId")) with ordinality as c (agent, place)
        left join agent a on a.id = (c.agent ->> 'id')::bigint
      where p.id = ${id}) as agents
  from (select count(*) as n from (select from player where "parentId" = ${id} limit ${MOST_INVITED + 1}) as known) as counted`;

/** A player with their account, who invited them, whom they invited and the agents above; nothing where there is no such player. */
export async function findPlayer(db: Db, id: number) {
  const [[found], [rest]] = await readTogether(db, playerWithAccount(db, id), around(id));
  if (!found || !rest) return undefined;
  const { accountId, totalAmount, availableAmount, freezeAmount, debt, parentName, ...player } = found;
  const { version: _, ...user } = player;
  const { username, nickName, parentId } = user;
  const balances = { totalAmount, availableAmount, freezeAmount, debt };
  return {
    user,
    account: { id: accountId, userId: id, username, nickName, ...balances },
    parent: parentId === null || parentName === null ? null : { userId: parentId, nickName: parentName },
    ...rest,
  };
}
