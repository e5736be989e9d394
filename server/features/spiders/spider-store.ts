import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { pageSpiders as asked, Spider } from '#contract/spiders.ts';
import type { Db } from '#server/db/database.ts';
import { orderOfFew } from '#server/db/list-order.ts';
import { page } from '#server/db/page.ts';
import { contains, equals, type Way, where } from '#server/db/where.ts';

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

/** Those that failed last; one that is off fails no more. */
const thatFail: Way<string> = () => sql`s.enabled and s."consecutiveFailures" > 0`;

type SpiderFilter = Input<typeof asked>;

/** A page of spiders, the newest first, and how many match in all. */
export function pageSpiders(db: Db, filter: SpiderFilter) {
  const asked = { gameId: equals, name: contains, enabled: equals, failing: thatFail } as const;
  const spiders = db
    .selectFrom('spider as s')
    .innerJoin('game as g', 'g.id', 's.gameId')
    .where(where(filter, asked, 's'))
    .select(columns)
    .select(sql<Spider['game']>`jsonb_build_object('name', g.name)`.as('game'));
  return page(db, spiders, filter, orderOfFew(filter.sort, { table: 's', words: ['name'] }));
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
