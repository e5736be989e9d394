import { sql } from 'kysely';
import type { ReportGroup } from '#contract/reports.ts';
import type { Db } from '#server/db/database.ts';

type Named = { readonly id: number; readonly name: string };

/** What is called how, by ids: play ways that are gone by the name that slips keep, agents with the user whose account is paid. */
const readers: Readonly<Partial<Record<ReportGroup, (db: Db, ids: readonly number[]) => Promise<Named[]>>>> =
  {
    GAME: async (db, ids) => db.selectFrom('game').select(['id', 'name']).where('id', 'in', ids).execute(),
    PLAY_WAY: async (db, ids) =>
      (
        await sql<Named>`
        select i.id, coalesce((
          select concat_ws(' / ', g.name, p.name) from play_way p left join game g on g.id = p."gameId" where p.id = i.id), (
          select r."playWayName" from slip_rules r where r."playWayId" = i.id order by r.id desc limit 1), i.id::text) as name
        from unnest(${[...ids]}::bigint[]) as i (id)`.execute(db)
      ).rows,
    USER: async (db, ids) =>
      (
        await sql<Named>`
        select id, coalesce(username, "nickName") as name from player where id = any(${[...ids]}::bigint[])`.execute(
          db,
        )
      ).rows,
    AGENT: async (db, ids) =>
      (
        await sql<Named>`
        select i.id, case when a.id is null then '代理 ' || i.id
          else concat_ws(' / ', a.name, coalesce(p.username, p."nickName", '用户 ' || a."userId")) end as name
        from unnest(${[...ids]}::bigint[]) as i (id) left join agent a on a.id = i.id left join player p on p.id = a."userId"`.execute(
          db,
        )
      ).rows,
  };

/** What belongs to none: of games and play ways rebates and written-off debts, of agents slips without one. */
const none: Readonly<Partial<Record<ReportGroup, string>>> = {
  GAME: '不属于任何游戏',
  PLAY_WAY: '不属于任何玩法',
  AGENT: '没有代理',
};

/** What the rows of a page are called, by their keys. */
export async function namesOf(
  db: Db,
  by: ReportGroup,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = keys.map(Number).filter((id) => id > 0);
  const rows = ids.length > 0 ? ((await readers[by]?.(db, ids)) ?? []) : [];
  const names = new Map(rows.map(({ id, name }) => [String(id), name]));
  const nameless = none[by];
  return nameless === undefined ? names : names.set('0', nameless);
}
