import { PgBoss } from 'pg-boss';
import { JOB_SCHEMA, overOurPool } from '#server/db/job-queue.ts';
import { runPart } from './parts.ts';
import type { JobServices, Worker } from './workers.ts';

/** Queue work that is under way may take this long to end when the server stops. */
const STOP_MS = 2_000;

async function attend(boss: PgBoss, services: JobServices, worker: Worker): Promise<void> {
  await boss.work<never>(
    worker.queue,
    { pollingIntervalSeconds: worker.pollSeconds ?? 2, batchSize: 1 },
    async (jobs) => {
      for (const job of jobs) {
        const failure = await runPart(services.log, `queue:${worker.queue}`, () =>
          worker.run(services, job.data),
        );
        // The queue tries it again by its own rules.
        if (failure !== undefined) throw failure;
      }
    },
  );
  if (worker.schedule)
    await boss.schedule(worker.queue, worker.schedule, {}, { tz: services.config.timeZone });
}

/**
 * Starts to work off the queues (`enqueue` of `#server/db/job-queue.ts` fills them) on PostgreSQL, together with any number
 * of other servers: every job is taken by one of them. Nothing is held between statements, so a transaction pooler in
 * between does no harm.
 */
export async function startQueue(
  services: JobServices,
  workers: readonly Worker[],
): Promise<{ stop: () => Promise<void> }> {
  const boss = new PgBoss({
    schema: JOB_SCHEMA,
    db: overOurPool(services.db),
    // A handful of jobs a minute: nothing of the library's tables has to be watched or built anew.
    reindex: false,
    monitorVacuum: false,
  });
  // While the database is away every look into a queue fails; the next one after its return works.
  boss.on('error', (error) => services.log.warn({ error: error.message }, 'job queue'));
  try {
    await boss.start();
    for (const worker of workers) await attend(boss, services, worker);
  } catch (error) {
    // What has begun would go on taking jobs for a server that gave up. Why it gave up counts, not how the stop went.
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
  return { stop: () => boss.stop({ graceful: true, timeout: STOP_MS }) };
}
