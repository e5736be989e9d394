import { sql } from 'kysely';
import type { DrawRecord } from '#contract/draw-records.ts';
import type { Db } from '#server/db/database.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import { type ReadableLatitude, winningNumbers } from '../result-handlers/winning-numbers.ts';

type Row = Omit<DrawRecord, 'winners'>;
interface Latitude extends ReadableLatitude {
  gameId: number;
  name: string;
}

function winnersOf({ result, openTime }: Row, latitudes: readonly Latitude[]): DrawRecord['winners'] {
  return latitudes.flatMap((latitude) => {
    try {
      const { winners, pushes } = winningNumbers(latitude, result, openTime);
      return [{ name: latitude.name, numbers: [...winners], pushes: [...pushes] }];
    } catch (error) {
      // A latitude that cannot read this result tells nothing about it; the latitudes' own screen shows why.
      if (error instanceof Unreadable || (error instanceof Error && error.name === 'ZodError')) return [];
      throw error;
    }
  });
}

/** Records with what won under each bet latitude of their games. */
export async function withWinners(
  db: Db,
  { totalCount, data }: { totalCount: number; data: Row[] },
): Promise<{ totalCount: number; data: DrawRecord[] }> {
  const games = [...new Set(data.map(({ gameId }) => gameId))];
  const { rows } = await sql<Latitude>`
    select "gameId", name, "resultIndex", "resultHandlerName", "handlerOptions" from bet_latitude
    where "gameId" = any(${games}) order by id`.execute(db);
  const latitudes = Map.groupBy(rows, ({ gameId }) => gameId);
  return {
    totalCount,
    data: data.map((row) => ({ ...row, winners: winnersOf(row, latitudes.get(row.gameId) ?? []) })),
  };
}
