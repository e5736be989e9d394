import { sql } from 'kysely';
import type { GameNumber } from '#contract/game-numbers.ts';
import type { Game } from '#contract/games.ts';
import type { Db } from '#server/db/database.ts';
import { containing } from '#server/db/search.ts';
import { listRanges } from './bet-time-range-store.ts';
import { describeRanges } from './bet-time-ranges.ts';
import { type At, currentPhase } from './current-phase.ts';

const columns = [
  'id',
  'name',
  'categoryId',
  'phase',
  'phaseTime',
  'phaseRule',
  'openRate',
  'stopBetSecond',
  'introduce',
  'resultRule',
  'status',
  'betStatus',
] as const;

/** A game without its ranges and numbers. `phase` was that of the slot that contained `phaseTime`. */
export type GameRow = Omit<Game, 'timeRanges' | 'timeRangesDesc' | 'numbers'> & { phaseTime: string };

interface GameFilter {
  name?: string | undefined;
  status?: boolean | undefined;
  betStatus?: boolean | undefined;
}

const matching = (db: Db, { name, status, betStatus }: GameFilter) => {
  let query = db.selectFrom('game');
  if (name) query = query.where('name', 'ilike', containing(name));
  if (status !== undefined) query = query.where('status', '=', status);
  return betStatus === undefined ? query : query.where('betStatus', '=', betStatus);
};

/** The games of these rows with their ranges and numbers. */
async function withParts(db: Db, at: At, games: readonly GameRow[]): Promise<Game[]> {
  const ids = games.map((game) => game.id);
  if (ids.length === 0) return [];
  const ranges = Map.groupBy(await listRanges(db, ids), (range) => range.gameId);
  const { rows } = await sql<GameNumber>`
    select id, "gameId", number, "desc" from game_number where "gameId" = any(${ids}) order by id`.execute(
    db,
  );
  const numbers = Map.groupBy(rows, (number) => number.gameId);
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
export async function pageGames(
  db: Db,
  at: At,
  filter: GameFilter & { currentPage: number; pageSize: number },
) {
  const { totalCount } = await matching(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('totalCount'))
    .executeTakeFirstOrThrow();
  const games = await matching(db, filter)
    .select(columns)
    .orderBy('id', 'desc')
    .limit(filter.pageSize)
    .offset((filter.currentPage - 1) * filter.pageSize)
    .execute();
  return { totalCount, data: await withParts(db, at, games) };
}

/** All games, the newest first. */
export async function listGames(db: Db, at: At): Promise<Game[]> {
  return withParts(db, at, await db.selectFrom('game').select(columns).orderBy('id', 'desc').execute());
}

export async function findGame(db: Db, id: number): Promise<GameRow | undefined> {
  return db.selectFrom('game').select(columns).where('id', '=', id).executeTakeFirst();
}

/** As `findGame`; other changes to the game and its schedule then wait for the end of the transaction. */
export async function lockGame(db: Db, id: number): Promise<GameRow | undefined> {
  return db.selectFrom('game').select(columns).where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function findGameByName(db: Db, name: string): Promise<GameRow | undefined> {
  return db.selectFrom('game').select(columns).where('name', '=', name).executeTakeFirst();
}

type GameFields = Omit<GameRow, 'id' | 'phaseTime'>;

/** Adds a game; nothing when the name is taken. */
export async function insertGame(
  db: Db,
  game: GameFields & { phaseTime: Date },
): Promise<number | undefined> {
  const row = await db
    .insertInto('game')
    .values(game)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Changes what is given. A new phase needs its moment with it. */
export async function updateGame(
  db: Db,
  id: number,
  changes: Partial<GameFields> & { phaseTime?: Date },
): Promise<void> {
  await db.updateTable('game').set(changes).where('id', '=', id).execute();
}
