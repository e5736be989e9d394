import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { GameNumber } from '#contract/game-numbers.ts';
import type { pageGames as asked, Game } from '#contract/games.ts';
import type { Db } from '#server/db/database.ts';
import { orderOfFew } from '#server/db/list-order.ts';
import { page } from '#server/db/page.ts';
import { readTogether } from '#server/db/read-together.ts';
import { contains, equals, where } from '#server/db/where.ts';
import { describeRanges } from '../draw-plans/bet-time-ranges.ts';
import { rangesOf } from './bet-time-range-store.ts';
import { type At, currentPhase } from './current-phase.ts';

const columns = [
  'id',
  'version',
  'name',
  'categoryId',
  'phase',
  sql<number>`floor(extract(epoch from "phaseTime"))::float8`.as('phaseTime'),
  'phaseRule',
  'openRate',
  'stopBetSecond',
  'introduce',
  'resultRule',
  'agreeSources',
  'status',
  'betStatus',
] as const;

/** A game without its ranges and numbers. `phase` was that of the slot that contained `phaseTime`, in epoch seconds. */
type GameRow = Omit<Game, 'timeRanges' | 'timeRangesDesc' | 'numbers'> & { phaseTime: number };

type GameFilter = Input<typeof asked>;

const matching = (db: Db, filter: GameFilter) =>
  db
    .selectFrom('game')
    .where(where(filter, { name: contains, categoryId: equals, status: equals, betStatus: equals }));

const numbersOf = (gameIds: readonly number[]) => sql<GameNumber>`
  select id, version, "gameId", number, "desc" from game_number where "gameId" = any(${gameIds}) order by id`;

/** The games of these rows with their ranges and numbers. */
async function withParts(db: Db, at: At, games: readonly GameRow[]): Promise<Game[]> {
  const ids = games.map((game) => game.id);
  if (ids.length === 0) return [];
  const [rangesOfAll, numbersOfAll] = await readTogether(db, rangesOf(ids), numbersOf(ids));
  const ranges = Map.groupBy(rangesOfAll, (range) => range.gameId);
  const numbers = Map.groupBy(numbersOfAll, (number) => number.gameId);
  return games.map(({ phaseTime, ...game }) => {
    const own = ranges.get(game.id) ?? [];
    const phase = currentPhase({ ...game, phaseTime }, own, at);
    const timeRanges = own.map(({ id, start, end, openRate, weekdays }) => ({
      ...{ id, start, end },
      ...(openRate === null ? {} : { openRate }),
      ...(weekdays === null ? {} : { weekdays }),
    }));
    return {
      ...game,
      phase,
      timeRanges,
      timeRangesDesc: describeRanges(own),
      numbers: numbers.get(game.id) ?? [],
    };
  });
}

/** A page of games, the newest first, and how many match in all. */
export async function pageGames(db: Db, at: At, filter: GameFilter) {
  const order = orderOfFew(filter.sort, { words: ['name'] });
  const { totalCount, data: games } = await page(db, matching(db, filter).select(columns), filter, order);
  return { totalCount, data: await withParts(db, at, games) };
}

/** All games, the newest first. */
export async function listGames(db: Db, at: At): Promise<Game[]> {
  return withParts(db, at, await db.selectFrom('game').select(columns).orderBy('id', 'desc').execute());
}

export async function findGame(db: Db, id: number): Promise<GameRow | undefined> {
  return db.selectFrom('game').select(columns).where('id', '=', id).executeTakeFirst();
}

/** A game as lists show it, by its number. */
export async function findShownGame(db: Db, at: At, id: number): Promise<Game | undefined> {
  const game = await findGame(db, id);
  return game && (await withParts(db, at, [game]))[0];
}
