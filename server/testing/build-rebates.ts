import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { prepareRun } from '#server/features/rebates/prepare-run.ts';
import { settleDue } from '#server/features/settlements/settle.ts';
import { buildGame } from './build-game.ts';
import { type BuiltSlip, buildSlips, recordResult } from './build-slips.ts';

const numbers = Array.from({ length: 10 }, (_, number) => String(number));

/** Days of the report: today, or so many days before. */
export async function pastDay(db: Db, ago: number): Promise<string> {
  const { rows } = await sql<{
    day: string;
  }>`select (report_day(now()) - ${ago}::integer)::text as day`.execute(db);
  return rows[0]?.day ?? '';
}

/** A game whose phases are drawn at noon of past days. */
export async function buildPastGame(db: Db) {
  const gameId = await buildGame(db, { phase: '1', status: false, numbers });
  const { categoryId } = await db
    .selectFrom('game')
    .select('categoryId')
    .where('id', '=', gameId)
    .executeTakeFirstOrThrow();
  let no = 0;
  return {
    gameId,
    categoryId,
    /** Slips on a phase of their own, drawn and settled, unless it is not to be. Gives their ids and the record's. */
    async play(day: string, slips: readonly BuiltSlip[], result: string | undefined = '3,3,5,5,5') {
      const phase = { gameId, phase: String(5_000 + ++no) };
      await sql`
        insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
        values (${gameId}, ${phase.phase}, ${day}::date + interval '11 hours' + ${no} * interval '10 seconds',
          ${day}::date + interval '12 hours' + ${no} * interval '10 seconds', 'OPENING')`.execute(db);
      const ids = await buildSlips(db, phase, slips);
      const record = result === '' ? 0 : await recordResult(db, phase, result);
      await settleDue(db);
      return { ...phase, ids, record };
    },
  };
}

/** Prepares a day's run; throws where another day, or none, was prepared. */
export async function preparedRun(db: Db, day: string): Promise<void> {
  const prepared = await prepareRun(db);
  if (prepared !== day) throw new Error(`prepared ${prepared}, not ${day}`);
}
