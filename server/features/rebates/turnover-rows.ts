import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import type { Day } from '#server/platform-days.ts';
import { moneyOf, tenThousandths } from '../bets/decimal.ts';
import type { Turnover } from './day-turnover.ts';
import { inLots } from './lots.ts';
import type { Rated } from './shares.ts';

interface Row extends Rated {
  readonly gameId: number;
}

const keyOf = ({ userId, gameId, agents }: Omit<Turnover, 'turnover'>): string =>
  `${userId} ${gameId} ${agents.join()}`;

/** What earlier runs saw of a day, each player, game and chain as it was seen last. */
async function seenBefore(tx: Db, day: Day): Promise<Row[]> {
  const { rows } = await sql<Omit<Row, 'turnover'> & { turnover: string }>`
    select distinct on ("userId", "gameId", agents) "userId", "gameId", agents, level, "categoryId", turnover from rebate_turnover
    where day = ${day}::date order by "userId", "gameId", agents, "runDay" desc`.execute(tx);
  return rows.map((row) => ({ ...row, turnover: tenThousandths(row.turnover) }));
}

async function standingNow(tx: Db, found: readonly Turnover[]) {
  const users = [...new Set(found.map(({ userId }) => userId))];
  const { rows: players } = await sql<{ id: number; level: number }>`
    select id, level from player where id = any(${users}::bigint[])`.execute(tx);
  const games = await tx.selectFrom('game').select(['id', 'categoryId']).execute();
  return {
    levels: new Map(players.map(({ id, level }) => [id, level])),
    categories: new Map(games.map(({ id, categoryId }) => [id, categoryId])),
  };
}

async function insert(tx: Db, runDay: Day, day: Day, rows: readonly Row[]): Promise<void> {
  await inLots(rows, 5_000, async (some) => {
    const of = <T>(value: (row: Row) => T): T[] => some.map(value);
    await sql`
      insert into rebate_turnover ("runDay", day, "userId", "gameId", agents, level, "categoryId", turnover)
      select ${runDay}::date, ${day}::date, u, g, ('{' || a || '}')::bigint[], l, c, as_money(t)
      from unnest(${of(({ userId }) => userId)}::bigint[], ${of(({ gameId }) => gameId)}::bigint[],
        ${of(({ agents }) => agents.join())}::text[], ${of(({ level }) => level)}::integer[],
        ${of(({ categoryId }) => categoryId)}::bigint[], ${of(({ turnover }) => moneyOf(turnover))}::numeric[]) as r (u, g, a, l, c, t)`.execute(
      tx,
    );
  });
}

/**
 * Keeps what a run saw of a day, as far as no run saw the same before, and gives all of it with what decides the shares: of a player or game
 * that was seen before, the level and category of then.
 */
export async function keepTurnover(
  tx: Db,
  runDay: Day,
  day: Day,
  found: ReadonlyMap<string, Turnover>,
): Promise<Row[]> {
  const before = await seenBefore(tx, day);
  const { levels, categories } = await standingNow(tx, [...found.values()]);
  for (const { userId, gameId, level, categoryId } of before) {
    levels.set(userId, level);
    categories.set(gameId, categoryId);
  }
  const rated = [...found.values()].map((each) => ({
    ...each,
    level: given(levels.get(each.userId)),
    categoryId: given(categories.get(each.gameId)),
  }));
  const known = new Map(before.map((row) => [keyOf(row), row]));
  const gone = before.filter((row) => row.turnover !== 0n && !found.has(keyOf(row)));
  await insert(tx, runDay, day, [
    ...rated.filter((row) => (known.get(keyOf(row))?.turnover ?? 0n) !== row.turnover),
    ...gone.map((row) => ({ ...row, turnover: 0n })),
  ]);
  return rated.filter(({ turnover }) => turnover > 0n);
}
