import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { DrawRecord } from '#contract/draw-records.ts';
import type { Db } from '#server/db/database.ts';
import { betNumbersOf } from '../bet-latitudes/bet-latitude-store.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import {
  type BetNumber,
  type ReadableLatitude,
  type ResultReader,
  resultReader,
} from '../result-handlers/winning-numbers.ts';

type Row = Omit<DrawRecord, 'winners'>;
interface Latitude extends ReadableLatitude {
  id: number;
  gameId: number;
  name: string;
}
interface Reader {
  readonly name: string;
  readonly read: ResultReader;
  readonly numbers: readonly BetNumber[];
}

/** A latitude that cannot read a result tells nothing about it; the latitudes' own screen shows why. */
function ifReadable<T>(read: () => T): T[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof Unreadable || (error instanceof Error && error.name === 'ZodError')) return [];
    throw error;
  }
}

const winnersOf = ({ result, openTime }: Row, readers: readonly Reader[]): DrawRecord['winners'] =>
  readers.flatMap(({ name, read, numbers }) =>
    ifReadable(() => {
      const { winners, pushes } = read(result, openTime).among(numbers);
      return { name, numbers: [...winners], pushes: [...pushes] };
    }),
  );

/** The latitudes of games, ready for reading. */
async function readersOf(db: Db, games: readonly number[]): Promise<Map<number, Reader[]>> {
  const { rows } = await sql<Latitude>`
    select id, "gameId", name, "resultIndex", "resultHandlerName", "handlerOptions" from bet_latitude
    where "gameId" = any(${[...games]}) order by id`.execute(db);
  const numbers = await betNumbersOf(
    db,
    rows.map(({ id }) => id),
  );
  const readers = rows.flatMap((latitude) => {
    const { id, gameId, name } = latitude;
    return ifReadable(() => ({ gameId, name, read: resultReader(latitude), numbers: numbers.get(id) ?? [] }));
  });
  return Map.groupBy(readers, ({ gameId }) => gameId);
}

/** Other callers' turn comes after this long. */
const TURN_MS = 20;

/** Records with what won under each bet latitude of their games. */
export async function withWinners(
  db: Db,
  { totalCount, data }: { totalCount: number; data: Row[] },
): Promise<{ totalCount: number; data: DrawRecord[] }> {
  const readers = await readersOf(db, [...new Set(data.map(({ gameId }) => gameId))]);
  const told: DrawRecord[] = [];
  let began = performance.now();
  for (const row of data) {
    told.push({ ...row, winners: winnersOf(row, readers.get(row.gameId) ?? []) });
    if (performance.now() - began < TURN_MS) continue;
    await nextTurn();
    began = performance.now();
  }
  return { totalCount, data: told };
}
