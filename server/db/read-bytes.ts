import type { RawBuilder } from 'kysely';
import type { Db } from './database.ts';
import type { BytesOfRow } from './driver/connection.ts';
import { PooledConnection } from './driver/postgres-dialect.ts';

/** The rows of a statement as they came, for what is passed on without being looked at: reading and writing a long text anew costs more than all else. */
export function readBytes(db: Db, statement: RawBuilder<unknown>): Promise<readonly BytesOfRow[]> {
  const { sql, parameters } = statement.compile(db);
  return db.getExecutor().provideConnection((connection) => {
    if (!(connection instanceof PooledConnection)) throw new Error('not a connection of ours');
    return connection.connection.bytes(sql, parameters);
  });
}
