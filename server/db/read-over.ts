import { type Db, sharedReadsOf } from './database.ts';
import type { Connection } from './driver/connection.ts';
import { PooledConnection } from './driver/postgres-dialect.ts';

/** Asks what changes nothing: over a connection that others may share, or over the one that is held here. */
export function readOver<T>(db: Db, ask: (connection: Connection) => Promise<T>): Promise<T> {
  const shared = sharedReadsOf(db);
  if (shared) return shared.read(ask);
  return db.getExecutor().provideConnection((held) => {
    if (!(held instanceof PooledConnection)) throw new Error('not a connection of ours');
    return ask(held.connection);
  });
}
