import type { CompiledQuery } from 'kysely';
import type { Db } from './database.ts';
import { readOver } from './read-over.ts';

/** A query of Kysely's builder, or a `sql` text. */
interface Readable<Row> {
  compile(db: Db): CompiledQuery<Row>;
}

/** Two queries that do not wait for one another, sent in one go where they can be. Each sees a snapshot of its own. */
export async function readTogether<A, B>(
  db: Db,
  first: Readable<A>,
  second: Readable<B>,
): Promise<[A[], B[]]> {
  const [one, two] = [first.compile(db), second.compile(db)];
  // Inside a transaction a loss between the two would leave the second outside of it.
  if (db.isTransaction) return [(await db.executeQuery(one)).rows, (await db.executeQuery(two)).rows];
  return readOver(db, async (connection) => {
    const ask = ({ sql, parameters }: CompiledQuery) => connection.read(sql, parameters);
    // Both are waited for, also when one fails: the connection is given back with nothing under way.
    const [a, b] = await Promise.allSettled([ask(one), ask(two)]);
    if (a.status === 'rejected') throw a.reason;
    if (b.status === 'rejected') throw b.reason;
    return [a.value.rows as A[], b.value.rows as B[]];
  });
}
