import type { CompiledQuery, RawBuilder } from 'kysely';
import { onceFor } from '#server/once-for.ts';
import type { Db } from './database.ts';
import type { BytesOfRow } from './driver/connection.ts';
import { gatheredByKey } from './gathered.ts';
import { readOver } from './read-over.ts';

type Bytes = readonly BytesOfRow[];

const read = (db: Db, { sql, parameters }: CompiledQuery): Promise<Bytes> =>
  readOver(db, (connection) => connection.bytes(sql, parameters));

const inPool = onceFor((_: Db) => gatheredByKey<Bytes>());

const asKey = ({ sql, parameters }: CompiledQuery): string =>
  `${JSON.stringify(parameters, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))} ${sql}`;

/**
 * The rows of a reading statement as they came, for what is passed on without being looked at: reading and writing a long text anew costs more
 * than all else. Several who ask the same at the same time, as consoles do when a list changes, are answered by one: nobody may write to it.
 */
export function readBytes(db: Db, statement: RawBuilder<unknown>): Promise<Bytes> {
  const compiled = statement.compile(db);
  // What a transaction sees is its own.
  return db.isTransaction ? read(db, compiled) : inPool(db)(asKey(compiled), () => read(db, compiled));
}
