import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { databaseTime } from '#server/db/database-clock.ts';
import { isPassing } from '#server/db/driver/outage.ts';
import { readParam } from '#server/params/read-param.ts';
import { addDays, type Day, dayOf, dayStart, momentOn } from '#server/platform-days.ts';
import { generatePlans } from './generate.ts';
import { numberedRuns } from './numbering.ts';
import { findPlannedGame } from './planned-game.ts';

/** From this hour of the clock on the next day's plans are made. */
const EVENING_HOUR = 20;

/** What was made for a game and day, or why nothing could be. */
export interface Ahead {
  readonly gameId: number;
  readonly day: Day;
  readonly made: number;
  readonly failure?: string;
}

/**
 * Games that are on and whose day nobody made yet. Today's is made up for only where it was somebody's turn to make it: the
 * game had days made before, so its evening fell into an outage.
 */
async function gamesWithout(db: Db, day: Day, isToday: boolean): Promise<number[]> {
  const hadEvenings = isToday
    ? sql`exists (select from draw_plan_day d where d."gameId" = g.id and d.day < ${day}::date)`
    : sql`true`;
  const { rows } = await sql<{ id: number }>`
    select id from game g where status and ${hadEvenings}
      and not exists (select from draw_plan_day d where d."gameId" = g.id and d.day = ${day}::date)
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The days that are to be made by now. */
function daysToMake(now: Date, timeZone: string): { day: Day; isToday: boolean }[] {
  const seconds = now.getTime() / 1000;
  const today = dayOf(seconds, timeZone);
  const isEvening = seconds >= momentOn(today, EVENING_HOUR * 3_600, timeZone);
  const tomorrow = { day: addDays(today, 1), isToday: false };
  return [{ day: today, isToday: true }, ...(isEvening ? [tomorrow] : [])];
}

const windowOf = (day: Day, timeZone: string) => ({
  from: dayStart(day, timeZone),
  to: dayStart(addDays(day, 1), timeZone),
});

/**
 * One game's day, from `now` on; nothing when it was made before, whoever made it, and where there is nothing to be made. To be called in a transaction. Throws
 * `Refusal` when the game cannot be planned.
 */
export async function generateDay(
  db: Db,
  { gameId, day, now, timeZone }: { gameId: number; day: Day; now: Date; timeZone: string },
): Promise<Ahead | undefined> {
  const claim = await sql`
    insert into draw_plan_day ("gameId", day) values (${gameId}, ${day}::date) on conflict do nothing`.execute(
    db,
  );
  if (Number(claim.numAffectedRows ?? 0) === 0) return undefined;
  const window = windowOf(day, timeZone);
  const { made } = await generatePlans(db, { gameId, window, now });
  // Where the schedule has nothing for a day to come nobody made it: a betting time that is added the same evening is seen.
  if (made > 0 || window.from <= now.getTime() / 1000) return { gameId, day, made };
  await sql`delete from draw_plan_day where "gameId" = ${gameId} and day = ${day}::date`.execute(db);
  return undefined;
}

/** The same in a transaction of its own, telling what stands in the way: it stops no other game. */
async function tryDay(db: Db, game: Parameters<typeof generateDay>[1]): Promise<Ahead | undefined> {
  try {
    return await db.transaction().execute((tx) => generateDay(tx, game));
  } catch (error) {
    if (isPassing(error)) throw error;
    const failure = error instanceof Error ? error.message : String(error);
    return { gameId: game.gameId, day: game.day, made: 0, failure };
  }
}

/**
 * Makes tomorrow's plans in the evening, for games that are on; a system parameter turns it off. A game that cannot be planned
 * does not stop the others, and is tried again the next time.
 */
export async function generateAhead(db: Db, now: Date, timeZone: string): Promise<Ahead[]> {
  if (!(await readParam(db, 'draw.autoGenerate'))) return [];
  const done: Ahead[] = [];
  for (const { day, isToday } of daysToMake(now, timeZone))
    for (const gameId of await gamesWithout(db, day, isToday)) {
      const ahead = await tryDay(db, { gameId, day, now, timeZone });
      if (ahead) done.push(ahead);
    }
  return done;
}

/** Every part has had its turn by then. */
const GRACE_MS = 15 * 60_000;

interface Unplanned {
  readonly gameId: number;
  readonly gameName: string;
  readonly day: Day;
}

/** Games whose schedule has draws left on a day that should have been made by now, and that have none planned. */
export async function unplannedGames(db: Db, now: Date, timeZone: string): Promise<Unplanned[]> {
  if (!(await readParam(db, 'draw.autoGenerate'))) return [];
  const found: Unplanned[] = [];
  for (const { day, isToday } of daysToMake(new Date(now.getTime() - GRACE_MS), timeZone))
    for (const gameId of await gamesWithout(db, day, isToday)) {
      const { from, to } = windowOf(day, timeZone);
      const game = await findPlannedGame(db, gameId);
      if (!game || numberedRuns(game, Math.max(from, Math.floor(now.getTime() / 1000)), to).length === 0)
        continue;
      const { rows } = await sql<{ gameName: string }>`
        select name as "gameName" from game g where id = ${gameId} and not exists (select from draw_plan p where p."gameId" = g.id
          and p."startTime" >= to_timestamp(${from}) and p."startTime" < to_timestamp(${to}))`.execute(db);
      for (const { gameName } of rows) found.push({ gameId, gameName, day });
    }
  return found;
}

/** How many they are, for whoever watches from outside; the session is in the platform's zone. */
export async function countUnplannedGames(db: Db): Promise<number> {
  const { rows } = await sql<{ timeZone: string }>`select current_setting('TimeZone') as "timeZone"`.execute(
    db,
  );
  const [{ timeZone } = { timeZone: 'UTC' }] = rows;
  return (await unplannedGames(db, await databaseTime(db), timeZone)).length;
}
