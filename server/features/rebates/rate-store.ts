import type { Input } from '#contract/endpoint.ts';
import type { pageRebateRates as asked, RebateWarning } from '#contract/rebates.ts';
import type { Db } from '#server/db/database.ts';
import { orderOfFew } from '#server/db/list-order.ts';
import { page } from '#server/db/page.ts';
import { equals, where } from '#server/db/where.ts';
import { withReturns } from '../play-ways/play-rules.ts';
import { pagePlayWays } from '../play-ways/play-way-store.ts';
import { shareOf } from './exact.ts';

/** A page of rates, the newest first. */
export function pageRebateRates(db: Db, filter: Input<typeof asked>) {
  const matching = where(filter, { level: equals, categoryId: equals });
  const rates = db.selectFrom('rebate_rate').selectAll().where(matching);
  return page(db, rates, filter, orderOfFew(filter.sort));
}

type Rated = Pick<RebateWarning, 'level' | 'categoryId' | 'rate'>;

const WHOLE = shareOf('1');

/** The play ways of these categories that return most, by category, as they are on a day. */
async function greatestReturns(db: Db, categories: readonly number[], day: string) {
  if (categories.length === 0) return new Map<number, { name: string; rate: string }>();
  const games = await db
    .selectFrom('game')
    .select(['id', 'categoryId'])
    .where('categoryId', 'in', categories)
    .execute();
  const greatest = new Map<number, { name: string; rate: string }>();
  for (const { id, categoryId } of games) {
    const { data } = await pagePlayWays(db, { gameId: id, currentPage: 1, pageSize: 9_999 });
    for (const { name, returnRate } of await withReturns(data, day)) {
      const known = greatest.get(categoryId);
      if (returnRate !== null && (!known || shareOf(returnRate) > shareOf(known.rate)))
        greatest.set(categoryId, { name, rate: returnRate });
    }
  }
  return greatest;
}

/** Rates above what the house keeps of some play way of their category: 1 less its return. */
export async function ratesAboveMargin(
  db: Db,
  rates: readonly Rated[],
  day: string,
): Promise<RebateWarning[]> {
  const positive = rates.filter(({ rate }) => shareOf(rate) > 0n);
  const categories = [...new Set(positive.map(({ categoryId }) => categoryId))];
  const greatest = await greatestReturns(db, categories, day);
  return positive.flatMap(({ level, categoryId, rate }) => {
    const most = greatest.get(categoryId);
    if (!most || shareOf(rate) + shareOf(most.rate) <= WHOLE) return [];
    return [{ level, categoryId, rate, playWay: most.name, returnRate: most.rate }];
  });
}
