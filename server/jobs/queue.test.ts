import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enqueue } from '#server/db/job-queue.ts';
import { testConfig } from '#server/testing/test-config.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { createVault } from '#server/vault.ts';
import { startQueue } from './queue.ts';
import { type JobServices, worker } from './workers.ts';

declare module '#server/db/job-queue.ts' {
  interface Jobs {
    'test-queue': { n: number };
    'no-such-queue': object;
  }
}

let database: TestDatabase;
let services: JobServices;
beforeAll(async () => {
  database = await testDatabase();
  const config = testConfig();
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  services = {
    db: database.db,
    config,
    vault: createVault(config.secret),
    clock: () => new Date(),
    log: silent,
  };
  await database.db.executeQuery(
    CompiledQuery.raw(
      `select pgboss.create_queue('test-queue', '{"policy": "standard", "retryLimit": 2, "retryDelay": 0}')`,
    ),
  );
});
afterAll(() => database.drop());

describe('the job queue', () => {
  it('runs each job once over two servers, and again only after a failure', async () => {
    const ran: number[] = [];
    const recording = worker({
      queue: 'test-queue',
      pollSeconds: 0.5,
      run: async (_services, { n }) => {
        ran.push(n);
        if (n === 3 && ran.filter((each) => each === 3).length === 1) throw new Error('once');
      },
    });
    const servers = await Promise.all([startQueue(services, [recording]), startQueue(services, [recording])]);
    for (const n of [1, 2, 3]) await enqueue(database.db, 'test-queue', { n });
    await expect.poll(() => ran.toSorted(), { timeout: 8_000 }).toEqual([1, 2, 3, 3]);
    await Promise.all(servers.map((server) => server.stop()));
  });

  it('knows nothing of a job whose transaction was undone', async () => {
    const undone = database.db.transaction().execute(async (tx) => {
      await enqueue(tx, 'test-queue', { n: 9 });
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    const { rows } = await database.db.executeQuery<{ n: number }>(
      CompiledQuery.raw(`select count(*) as n from pgboss.job where data = '{"n": 9}'`),
    );
    expect(rows[0]?.n).toBe(0);
  });

  it('takes no job after a start that failed half way', async () => {
    const stolen: number[] = [];
    const ran: number[] = [];
    const into = (list: number[]) =>
      worker({
        queue: 'test-queue',
        pollSeconds: 0.5,
        run: async (_services, { n }) => {
          list.push(n);
        },
      });
    const unknown = worker({ queue: 'no-such-queue', schedule: '* * * * *', run: async () => {} });
    await expect(startQueue(services, [into(stolen), unknown])).rejects.toThrow();
    const jobs = Array.from({ length: 12 }, (_, n) => n);
    for (const n of jobs) await enqueue(database.db, 'test-queue', { n });
    const server = await startQueue(services, [into(ran)]);
    await expect.poll(() => ran.length + stolen.length, { timeout: 15_000 }).toBe(jobs.length);
    await server.stop();
    expect(stolen).toEqual([]);
  });

  it('refuses a job of a queue that does not exist', async () => {
    await expect(enqueue(database.db, 'no-such-queue', {})).rejects.toThrow('no-such-queue does not exist');
  });
});
