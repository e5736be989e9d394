import { CompiledQuery } from 'kysely';
import { type Db as BossDb, PgBoss } from 'pg-boss';
import type { Db } from './database.ts';

/**
 * The queues and what a job of each carries. Whoever owns a queue adds it here:
 * `declare module '#server/db/job-queue.ts' { interface Jobs { mail: { to: string } } }`, creates it in a migration
 * (`select pgboss.create_queue(…)`) and has its worker listed in `server/jobs/all-workers.ts`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the owners of the queues.
export interface Jobs {}
export type QueueName = keyof Jobs & string;

/** Where the library keeps its tables; migration 0075 makes them. */
export const JOB_SCHEMA = 'pgboss';

/** Lets pg-boss run its SQL over our pool, or inside a transaction of ours. */
export const overOurPool = (db: Db): BossDb => ({
  executeSql: async (text, values = []) => ({
    rows: (
      await db.executeQuery<object>(
        CompiledQuery.raw(
          text,
          values.map((value) => value ?? null),
        ),
      )
    ).rows,
  }),
});

interface EnqueueOptions {
  /** Not before this moment. */
  startAfter?: Date;
}

/**
 * Queues one job, in the transaction that `db` is: it exists exactly when that commits. Some server runs it, again after a
 * failure as its queue says; a job must therefore bear being run twice.
 */
export async function enqueue<Q extends QueueName>(
  db: Db,
  queue: Q,
  data: Jobs[Q] & object,
  { startAfter }: EnqueueOptions = {},
): Promise<void> {
  // Sending needs no running engine, only the library's SQL, which looks the queue up and adds a row.
  const sender = new PgBoss({ schema: JOB_SCHEMA, db: overOurPool(db) });
  const id = await sender.send(queue, data, startAfter ? { startAfter: startAfter.toISOString() } : {});
  if (id === null) throw new Error(`no queue takes this job: ${queue}`);
}
