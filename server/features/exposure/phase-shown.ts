import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { listExposure } from '#contract/exposure.ts';
import type { Db } from '#server/db/database.ts';
import { EXPOSURE_DAYS } from '../cleaning/finished-phases.ts';
import { closing } from '../draw-plans/closing.ts';

/**
 * The phase that is shown where none is said: the one that is closed and waits for its draw, else the one that has begun. Of those that began
 * before the last two, none: where sources have been silent for long, older ones are no longer what is looked for.
 */
async function phaseShown(db: Db, gameId: number, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ phase: string }>`
    select phase from (
      select p.phase, p.status, p."startTime", c.closes from draw_plan p join game g on g.id = p."gameId",
        ${closing}
      where p."gameId" = ${gameId} and p."startTime" <= ${now}::timestamptz order by p."startTime" desc limit 2) as begun
    where status in ('WAITTING', 'OPENING')
    order by closes <= ${now}::timestamptz desc, "startTime" desc limit 1`.execute(db);
  return rows[0]?.phase;
}

/** A phase whose exposure is looked at. */
export interface ExposedPhase {
  readonly gameId: number;
  readonly phase: string;
  readonly drawTime: string;
  /** Whether what it exposed has been cleaned away. */
  readonly isOld: boolean;
}

/** The phase that is asked for, or shown where none is said; nothing without a game, or where that shows none. */
export async function phaseAsked(
  db: Db,
  { gameId, phase }: Input<typeof listExposure>,
  now: Date,
): Promise<ExposedPhase | undefined> {
  if (gameId === undefined) return undefined;
  const asked = phase ?? (await phaseShown(db, gameId, now));
  if (asked === undefined) return undefined;
  const { rows } = await sql<Pick<ExposedPhase, 'drawTime' | 'isOld'>>`
    select "endTime" as "drawTime", "endTime" < now() - make_interval(days => ${EXPOSURE_DAYS}) as "isOld"
    from draw_plan where "gameId" = ${gameId} and phase = ${asked}`.execute(db);
  return { gameId, phase: asked, ...(rows[0] ?? { drawTime: '', isOld: false }) };
}
