import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { generatePlans } from '#server/features/draw-plans/generate.ts';
import { betOnBigSmall, digits } from '#server/testing/build-betting.ts';
import { buildGame } from '#server/testing/build-game.ts';

const RATE_SECONDS = 8;
const STOP_SECONDS = 2;

/** A phase and the seconds in which it takes bets. */
interface Phase {
  readonly phase: string;
  readonly from: number;
  readonly to: number;
}

/** The phase that takes bets at a moment, if one does. */
export const phaseAt = ({ phases }: DrawingGame, ms: number): Phase | undefined =>
  phases.find(({ from, to }) => from <= ms / 1_000 && ms / 1_000 < to - STOP_SECONDS);

export interface DrawingGame {
  readonly gameId: number;
  readonly playWayId: number;
  readonly phases: readonly Phase[];
}

/** A game that takes bets and draws by itself every few seconds, for so long. */
export async function buildDrawingGame(db: Db, seconds: number): Promise<DrawingGame> {
  // Off, so that no evening plans more of it than is looked at here.
  const gameId = await buildGame(db, {
    ...{ openRate: RATE_SECONDS, stopBetSecond: STOP_SECONDS, status: false, numbers: ['大', '小'] },
  });
  const playWayId = await betOnBigSmall(db, gameId);
  const options = JSON.stringify({ count: 5, pool: digits, repeat: true });
  await sql`insert into spider ("gameId", name, "spiderServiceName", options)
    values (${gameId}, '本地', 'LocalDrawSpider', ${options})`.execute(db);
  const from = Math.floor(Date.now() / 1_000) + 15;
  const plan = { gameId, window: { from, to: from + seconds }, now: new Date() };
  await db.transaction().execute((tx) => generatePlans(tx, plan));
  await sql`update game set status = true where id = ${gameId}`.execute(db);
  const { rows: phases } = await sql<Phase>`
    select phase, extract(epoch from "startTime")::float8 as "from", extract(epoch from "endTime")::float8 as "to" from draw_plan
    where "gameId" = ${gameId} order by "startTime"`.execute(db);
  return { gameId, playWayId, phases };
}

/** What became of the phases that were to be drawn up to some seconds ago. */
export async function drawsOf(db: Db, { gameId }: DrawingGame, seconds: number) {
  const { rows } = await sql<
    Record<'due' | 'opened' | 'drawn' | 'twice' | 'unsettled' | 'settledTwice', number>
  >`
    with plan as (
      select * from draw_plan where "gameId" = ${gameId} and "endTime" < clock_timestamp() - ${seconds} * interval '1 second'
    ), drawn as (
      select p.phase, p.status, (select count(*) from draw_record r where r."gameId" = p."gameId" and r.phase = p.phase) as records,
        (select count(*) from settlement s where s."gameId" = p."gameId" and s.phase = p.phase) as settlements,
        (select count(*) from settlement s where s."gameId" = p."gameId" and s.phase = p.phase and s.status = 'DONE') as done,
        exists (select from slip s where s."gameId" = p."gameId" and s.phase = p.phase) as bet
      from plan p)
    select count(*) as due, count(*) filter (where status = 'OPENED') as opened, count(*) filter (where records = 1) as drawn,
      count(*) filter (where records > 1) as twice, count(*) filter (where bet and done = 0) as unsettled,
      count(*) filter (where settlements > 1) as "settledTwice" from drawn`.execute(db);
  return rows[0];
}

/** How late the draws since a moment were there for others to see, at most, in seconds. */
export async function latestSince(db: Db, { gameId }: DrawingGame, since: Date): Promise<number> {
  const { rows } = await sql<{ late: number | null }>`
    select max(extract(epoch from r."createTime" - p."endTime"))::float8 as late from draw_record r
      join draw_plan p on p."gameId" = r."gameId" and p.phase = r.phase
    where r."gameId" = ${gameId} and p."endTime" >= ${since}::timestamptz`.execute(db);
  return rows[0]?.late ?? 0;
}
