import { sql } from 'kysely';
import { TRIAL_MINUTES } from '#contract/role-trials.ts';
import type { Db } from '#server/db/database.ts';

/** Writes down in a session what is tried on in it, in place of what was; gives until when. */
export async function keepTrial(db: Db, sessionId: string, roleId: number | null): Promise<string> {
  const until =
    roleId === null ? sql<string>`null` : sql<string>`now() + make_interval(mins => ${TRIAL_MINUTES})`;
  const { trialUntil } = await db
    .updateTable('session')
    .set({ trialRoleId: roleId, trialUntil: until })
    .where('id', '=', sessionId)
    .returning(sql<string>`left(coalesce("trialUntil", now())::text, 19)`.as('trialUntil'))
    .executeTakeFirstOrThrow();
  return trialUntil;
}
