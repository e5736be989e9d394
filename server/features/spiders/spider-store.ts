import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { pageSpiders as asked, Spider } from '#contract/spiders.ts';
import type { Db } from '#server/db/database.ts';
import { containing } from '#server/db/search.ts';

const columns = [
  's.id',
  's.version',
  's.gameId',
  's.name',
  's.url',
  's.spiderServiceName',
  's.options',
  's.headers',
  's.pauseMs',
  's.remark',
  's.enabled',
  's.lastRunTime',
  's.lastSuccessTime',
  's.lastError',
  's.consecutiveFailures',
] as const;

type SpiderFilter = Input<typeof asked>;

/** A page of spiders, the newest first, and how many match in all. */
export async function pageSpiders(db: Db, filter: SpiderFilter) {
  const { gameId, name, enabled, failing, currentPage, pageSize } = filter;
  let matching = db.selectFrom('spider as s').innerJoin('game as g', 'g.id', 's.gameId');
  if (gameId !== undefined) matching = matching.where('s.gameId', '=', gameId);
  if (name) matching = matching.where('s.name', 'ilike', containing(name));
  if (enabled !== undefined) matching = matching.where('s.enabled', '=', enabled);
  if (failing) matching = matching.where('s.enabled', '=', true).where('s.consecutiveFailures', '>', 0);
  const { totalCount } = await matching
    .select(({ fn }) => fn.countAll<number>().as('totalCount'))
    .executeTakeFirstOrThrow();
  const data = await matching
    .select(columns)
    .select(sql<Spider['game']>`jsonb_build_object('name', g.name)`.as('game'))
    .orderBy('s.id', 'desc')
    .limit(pageSize)
    .offset((currentPage - 1) * pageSize)
    .execute();
  return { totalCount, data };
}

export type SpiderRow = Omit<Spider, 'game'>;

export async function findSpider(db: Db, id: number): Promise<SpiderRow | undefined> {
  return db.selectFrom('spider as s').select(columns).where('s.id', '=', id).executeTakeFirst();
}

export type SpiderFields = Pick<
  SpiderRow,
  'gameId' | 'name' | 'url' | 'spiderServiceName' | 'options' | 'remark' | 'enabled'
> &
  Partial<Pick<SpiderRow, 'headers' | 'pauseMs'>>;
