import { sql } from 'kysely';
import type { Spider } from '#contract/spiders.ts';
import type { Db } from '#server/db/database.ts';
import { containing } from '#server/db/search.ts';

const columns = [
  's.id',
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

interface SpiderFilter {
  gameId?: number | undefined;
  name?: string | undefined;
  enabled?: boolean | undefined;
  failing?: 'YES' | undefined;
  currentPage: number;
  pageSize: number;
}

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

/** Adds a spider; nothing when its game has one of this name. */
export async function insertSpider(db: Db, fields: SpiderFields): Promise<number | undefined> {
  const row = await db
    .insertInto('spider')
    .values(fields)
    .onConflict((conflict) => conflict.columns(['gameId', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function isSpiderNameTaken(db: Db, gameId: number, name: string, exceptId: number) {
  const other = db
    .selectFrom('spider')
    .select('id')
    .where('gameId', '=', gameId)
    .where('name', '=', name)
    .where('id', '!=', exceptId);
  return (await other.executeTakeFirst()) !== undefined;
}

/** Changes a spider; it runs anew at once, whatever it had to wait for before. */
export async function updateSpider(db: Db, id: number, fields: SpiderFields, now: Date): Promise<void> {
  await db
    .updateTable('spider')
    .set({ ...fields, nextRunTime: now, consecutiveFailures: 0, answering: true })
    .where('id', '=', id)
    .execute();
}

export async function deleteSpider(db: Db, id: number): Promise<void> {
  await db.deleteFrom('spider').where('id', '=', id).execute();
}
