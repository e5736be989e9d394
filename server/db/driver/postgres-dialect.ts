import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { Answer, Connection } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { copyOf, linesOfCopy } from './copy-out.ts';

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
/** One statement that reads, which is worth planning once; a text of several cannot be prepared. */
const reading = /^\s*(select|with)\b[^;]*$/i;

/** A connection as Kysely wants it. */
export class PooledConnection implements DatabaseConnection {
  readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    const raw = query.kind === 'RawNode' && parameters.length === 0 && !reading.test(sql);
    const answer = await (raw ? this.connection.control(sql) : this.connection.query(sql, parameters));
    const rows = rowsOf<R>(answer);
    return changing.has(answer.command) ? { rows, numAffectedRows: BigInt(answer.count) } : { rows };
  }

  /** Rows as COPY writes them, whose lines stand in place of rows, many at a time. For transactions, which end where not all of them are taken. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const copied = await this.connection.copy(copyOf(query), query.sql);
    let isWhole = false;
    try {
      for await (const lines of linesOfCopy(copied.rows)) yield { rows: [lines] as unknown as R[] };
      isWhole = true;
    } finally {
      if (!isWhole) await copied.giveUp();
    }
  }
}

/** The statement's author says what its rows are; nothing can check it here. */
const rowsOf = <R>(answer: Answer): R[] => answer.rows as unknown as R[];

/** Kysely's driver over our own pool. */
class PooledDriver implements Driver {
  readonly #pool: ConnectionPool;

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PooledConnection> {
    return new PooledConnection(await this.#pool.acquire());
  }

  async releaseConnection({ connection }: PooledConnection): Promise<void> {
    this.#pool.release(connection);
  }

  async beginTransaction({ connection }: PooledConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : '';
    await connection.control(`begin${isolation}${accessMode ? ` ${accessMode}` : ''}`);
  }

  async commitTransaction({ connection }: PooledConnection): Promise<void> {
    const { command } = await connection.control('commit');
    // PostgreSQL answers COMMIT by ROLLBACK when an earlier statement had failed and nobody minded.
    if (command === 'ROLLBACK') throw new AbortedTransactionError();
  }

  async rollbackTransaction({ connection }: PooledConnection): Promise<void> {
    try {
      await connection.control('rollback');
    } catch {
      // The reason for rolling back is what the caller should see. Closing ends the transaction as surely.
      await connection.close().catch(() => {});
    }
  }

  async savepoint({ connection }: PooledConnection, name: string): Promise<void> {
    await connection.control(`savepoint ${quoted(name)}`);
  }

  async rollbackToSavepoint({ connection }: PooledConnection, name: string): Promise<void> {
    await connection.control(`rollback to savepoint ${quoted(name)}`);
  }

  async releaseSavepoint({ connection }: PooledConnection, name: string): Promise<void> {
    await connection.control(`release savepoint ${quoted(name)}`);
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Kysely over postgres.js, with a pool that never lets a transaction outlive its connection. */
export const postgresDialect = (pool: ConnectionPool): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new PooledDriver(pool),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: (): QueryCompiler => new PostgresQueryCompiler(),
});
