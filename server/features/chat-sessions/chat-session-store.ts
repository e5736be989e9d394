import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { AuthState } from './auth-states.ts';

const shown = ['id', 'userId', 'phone', 'clientId', 'lastActivityTime', 'authState', 'detail'] as const;

/** The operator's own sessions, newest first. */
export async function listMyChatSessions(db: Db, operatorId: number) {
  return db
    .selectFrom('chat_session')
    .select(shown)
    .where('operatorId', '=', operatorId)
    .orderBy('id', 'desc')
    .execute();
}

/** A session of this operator; another's is not there. */
export async function findOwnSession(db: Db, operatorId: number, id: number) {
  return db
    .selectFrom('chat_session')
    .select(shown)
    .where('operatorId', '=', operatorId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertSession(db: Db, operatorId: number, userId: number): Promise<number> {
  const row = await db
    .insertInto('chat_session')
    .values({ operatorId, userId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function deleteSession(db: Db, id: number): Promise<void> {
  await db.deleteFrom('chat_session').where('id', '=', id).execute();
}

/** What a running client has to tell of itself. */
export interface Shown {
  authState: AuthState;
  detail: string | null;
  /** Null leaves the number as it is. */
  phone: string | null;
  /** How long nothing has happened, in milliseconds. */
  idleMs: number;
}

/** Writes down what a client shows, if this process still holds the session. */
export async function saveShown(db: Db, id: number, holder: string, shown: Shown): Promise<void> {
  const { authState, detail, phone, idleMs } = shown;
  const lastActivityTime = sql<string>`clock_timestamp() - ${idleMs}::float8 * interval '1 millisecond'`;
  await db
    .updateTable('chat_session')
    .set({ authState, detail, lastActivityTime })
    .$if(phone !== null, (query) => query.set({ phone }))
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute();
}

export async function savePhone(db: Db, id: number, phone: string): Promise<void> {
  await db.updateTable('chat_session').set({ phone }).where('id', '=', id).execute();
}
