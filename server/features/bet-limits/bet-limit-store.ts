import { sql } from 'kysely';
import type { pageBetLimits as asked, BetLimit } from '#contract/bet-limits.ts';
import type { Input } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import { TAKES_MINUTES } from '#server/db/driver/connection.ts';
import { orderOfFew } from '#server/db/list-order.ts';
import { page } from '#server/db/page.ts';
import type { Page } from '#server/db/reading.ts';
import { equals, where } from '#server/db/where.ts';

/** A page of limits: those of all games first, then game by game, of each its own before those of its play ways. */
export function pageBetLimits(db: Db, filter: Input<typeof asked>): Promise<Page<BetLimit>> {
  const limits = db
    .selectFrom('bet_limit')
    .selectAll()
    .where(where(filter, { gameId: equals, playWayId: equals }));
  const own = sql`"gameId" nulls first, "playWayId" nulls first`;
  return page(db, limits, filter, orderOfFew(filter.sort, { own }));
}

/** Lets what the transaction changes count phases with very many slips. Nobody who bets waits for that. */
export const allowLongCount = (tx: Db) =>
  sql`set local statement_timeout = '5min' ${sql.raw(TAKES_MINUTES)}`.execute(tx);
