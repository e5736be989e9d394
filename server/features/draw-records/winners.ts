import { sql } from 'kysely';
import type { DrawRecord } from '#contract/draw-records.ts';
import type { Db } from '#server/db/database.ts';
import { paceOfAll } from '#server/pace.ts';
import { bettableOf } from '../bet-latitudes/bet-latitude-store.ts';
import { type Bettable, shownWinners } from '../bets/shown.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import {
  type ReadableLatitude,
  type ResultReader,
  resultReader,
} from '../result-handlers/winning-numbers.ts';
import { withSealed } from '../seals/unsealed.ts';

type Row = Omit<DrawRecord, 'winners' | 'sealed'>;
interface Latitude extends ReadableLatitude {
  id: number;
  gameId: number;
  name: string;
}
interface Reader {
  readonly name: string;
  readonly latitude: ReadableLatitude;
  readonly read: ResultReader;
  readonly bettable: Bettable;
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

const winnersOf = ({ result }: Row, drawTime: string, readers: readonly Reader[]): DrawRecord['winners'] =>
  readers.flatMap(({ name, latitude, read, bettable }) =>
    ifReadable(() => {
      const { winners, pushes } = shownWinners(latitude, bettable, read(result, drawTime));
      return { name, numbers: [...winners], pushes: [...pushes] };
    }),
  );

/** The latitudes of games, ready for reading. */
async function readersOf(db: Db, games: readonly number[]): Promise<Map<number, Reader[]>> {
  const { rows } = await sql<Latitude>`
    select id, "gameId", name, "resultIndex", "resultHandlerName", "handlerOptions" from bet_latitude
    where "gameId" = any(${[...games]}) order by id`.execute(db);
  const bettable = await bettableOf(
    db,
    rows.map(({ id }) => id),
  );
  const readers = rows.flatMap((latitude) => {
    const { id, gameId, name } = latitude;
    return ifReadable(() => ({
      gameId,
      name,
      latitude,
      read: resultReader(latitude),
      bettable: bettable(id),
    }));
  });
  return Map.groupBy(readers, ({ gameId }) => gameId);
}

/** When each of these was to be drawn: as planned, not as its source says, which may name any day; without a plan as it says. */
async function plannedTimes(db: Db, data: readonly Row[]): Promise<(row: Row) => string> {
  const { rows } = await sql<{ gameId: number; phase: string; endTime: string }>`
    select p."gameId", p.phase, p."endTime"
    from unnest(${data.map(({ gameId }) => gameId)}::bigint[], ${data.map(({ phase }) => phase)}::text[]) as w ("gameId", phase)
      join draw_plan p on p."gameId" = w."gameId" and p.phase = w.phase`.execute(db);
  const times = new Map(rows.map(({ gameId, phase, endTime }) => [`${gameId} ${phase}`, endTime]));
  return ({ gameId, phase, openTime }) => times.get(`${gameId} ${phase}`) ?? openTime;
}

const pace = paceOfAll();

/** Records with what won under each bet latitude of their games. */
export async function withWinners(
  db: Db,
  { totalCount, data }: { totalCount: number; data: Row[] },
): Promise<{ totalCount: number; data: DrawRecord[] }> {
  const readers = await readersOf(db, [...new Set(data.map(({ gameId }) => gameId))]);
  const times = await plannedTimes(db, data);
  const told: Omit<DrawRecord, 'sealed'>[] = [];
  const breathe = pace();
  for (const row of data) {
    told.push({ ...row, winners: winnersOf(row, times(row), readers.get(row.gameId) ?? []) });
    await breathe();
  }
  return { totalCount, data: await withSealed(db, 'DRAW', told) };
}
