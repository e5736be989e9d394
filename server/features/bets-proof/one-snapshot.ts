import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/**
 * A look at the database within one snapshot. It takes the time it takes: some statements of a proof read whatever there ever was, and nobody
 * waits for them. Whoever stands still in it is cut off, since old rows stay for as long. Said here too, as a pooler may keep away what a session brings.
 */
export const inOneSnapshot = <T>(db: Db, look: (tx: Db) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '10min', true)`.execute(
        tx,
      );
      return look(tx);
    });
