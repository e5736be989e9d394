import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { numberedRuns, phaseIn } from '../draw-plans/numbering.ts';
import { findPlannedGame } from '../draw-plans/planned-game.ts';
import { SAMPLE_SOURCE } from '../draw-records/sample-source.ts';
import type { Dice } from './dice.ts';
import { drawingGame } from './drawing-game.ts';

/** A draw of the sample month; times are epoch seconds. */
export interface SampleDraw {
  readonly phase: string;
  readonly start: number;
  readonly end: number;
  /** The end, as the wire writes it. */
  readonly drawTime: string;
  readonly result: string;
}

export interface SampleDraws {
  readonly gameId: number;
  readonly gameName: string;
  readonly stopBetSecond: number;
  /** One after the other, the first first. */
  readonly draws: readonly SampleDraw[];
}

const DIGITS = 5;

const resultBy = (dice: Dice): string =>
  Array.from({ length: DIGITS }, () => String(dice.between(0, 9))).join(',');

/** Times as the wire writes them, by the database's session, which is in the platform's zone. */
async function wireTimes(db: Db, moments: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select to_timestamp(moment) as text from unnest(${[...moments]}::bigint[]) with ordinality as m (moment, place) order by place`.execute(
    db,
  );
  return rows.map(({ text }) => text);
}

/**
 * What the sample game might have drawn in so many days, and one, before its first plan, and so before its first promise. Nothing where there is
 * no such game, or it has drawn before.
 */
export async function sampleDraws(
  db: Db,
  dice: Dice,
  { now, days }: { readonly now: Date; readonly days: number },
): Promise<SampleDraws | undefined> {
  const { rows } = await sql<{ gameId: number; stopBetSecond: number; first: number | null }>`
    select g.id as "gameId", g."stopBetSecond", (
      select extract(epoch from min(p."startTime"))::float8 from draw_plan p where p."gameId" = g.id) as first
    from game g where g.name = ${drawingGame.name} and exists (select from local_game l where l."gameId" = g.id)
      and not exists (select from draw_record r where r."gameId" = g.id)`.execute(db);
  const [game] = rows;
  const planned = game && (await findPlannedGame(db, game.gameId));
  if (!planned) return undefined;
  const last = Math.min(game.first ?? Number.POSITIVE_INFINITY, now.getTime() / 1000);
  const runs = numberedRuns(planned, last - (days + 1) * 86_400, last);
  const slots = runs
    .flatMap((run) =>
      Array.from({ length: run.count }, (_, index) => {
        const start = run.start + index * run.rate;
        return { phase: phaseIn(run, index), start, end: start + run.rate };
      }),
    )
    .filter(({ end }) => end <= last);
  const times = await wireTimes(
    db,
    slots.map(({ end }) => end),
  );
  const draws = slots.map((slot, place) => ({
    ...slot,
    drawTime: times[place] ?? '',
    result: resultBy(dice),
  }));
  return { gameId: game.gameId, gameName: drawingGame.name, stopBetSecond: game.stopBetSecond, draws };
}

/** Writes their plans and, at the moment of each draw, their records, which say that nobody promised them. */
export async function addDraws(db: Db, { gameId, draws }: SampleDraws): Promise<void> {
  const rows = sql`unnest(${draws.map(({ phase }) => phase)}::text[], ${draws.map(({ start }) => start)}::bigint[],
    ${draws.map(({ end }) => end)}::bigint[], ${draws.map(({ result }) => result)}::text[]) as d (phase, start, "end", result)`;
  await sql`
    insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
    select ${gameId}::bigint, phase, to_timestamp(start), to_timestamp("end"), 'OPENED' from ${rows} order by start`.execute(
    db,
  );
  await sql`
    insert into draw_record ("gameId", phase, result, "openTime", "createTime", source)
    select ${gameId}::bigint, phase, result, to_timestamp("end"), to_timestamp("end"), ${SAMPLE_SOURCE} from ${rows} order by start`.execute(
    db,
  );
}
