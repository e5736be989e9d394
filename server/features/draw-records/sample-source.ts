import type { Db } from '#server/db/database.ts';

/** The source of records that were made up for the sample month: nobody promised them, and nobody can check them. */
export const SAMPLE_SOURCE = '样例';

/** Whether a phase's record is one that was made up. */
export async function isSampleDraw(db: Db, gameId: number, phase: string): Promise<boolean> {
  const record = await db
    .selectFrom('draw_record')
    .select('id')
    .where('gameId', '=', gameId)
    .where('phase', '=', phase)
    .where('source', '=', SAMPLE_SOURCE)
    .where('seed', 'is', null)
    .executeTakeFirst();
  return record !== undefined;
}
