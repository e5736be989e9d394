import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { pageBetLimits as asked, BetLimit } from '#contract/bet-limits.ts';
import type { Input } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';

/** A page of limits: those of all games first, then game by game, of each its own before those of its play ways. */
export async function pageBetLimits(
  db: Db,
  { gameId, playWayId, currentPage, pageSize }: Input<typeof asked>,
): Promise<{ totalCount: number; data: BetLimit[] }> {
  const conditions: RawBuilder<SqlBool>[] = [
    ...(gameId === undefined ? [] : [sql<SqlBool>`"gameId" = ${gameId}`]),
    ...(playWayId === undefined ? [] : [sql<SqlBool>`"playWayId" = ${playWayId}`]),
  ];
  let matching = db.selectFrom('bet_limit');
  for (const condition of conditions) matching = matching.where(condition);
  const { totalCount } = await matching
    .select(({ fn }) => fn.countAll<number>().as('totalCount'))
    .executeTakeFirstOrThrow();
  const data = await matching
    .selectAll()
    .orderBy(sql`"gameId" nulls first`)
    .orderBy(sql`"playWayId" nulls first`)
    .limit(pageSize)
    .offset((currentPage - 1) * pageSize)
    .execute();
  return { totalCount, data };
}

/** Lets what the transaction changes count phases with very many slips. Nobody who bets waits for that. */
export const allowLongCount = (tx: Db) => sql`set local statement_timeout = '5min'`.execute(tx);
