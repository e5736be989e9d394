import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** How long a Google code counts as fresh in the session it was given in. */
const FRESH_SECONDS = 5 * 60;

/** Whether a Google code was given in a session lately. */
export async function isSteppedUp(db: Db, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .select('id')
    .where('id', '=', sessionId)
    .where('stepUpTime', '>', sql<string>`clock_timestamp() - make_interval(secs => ${FRESH_SECONDS})`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that a Google code was given in a session just now. */
export async function noteStepUp(db: Db, sessionId: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ stepUpTime: sql`clock_timestamp()` })
    .where('id', '=', sessionId)
    .execute();
}
