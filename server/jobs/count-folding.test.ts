import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { countFolding, reportFolding } from './count-folding.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it.each([
  ['list_delta', `'account_history', '', 1, g, 1`, countFolding()],
  ['report_delta', `now(), g, 1, 1, '{0}'`, reportFolding()],
] as const)(
  'what a burst left of %s before a server started is given back: every reader reads all of it',
  async (table, row, part) => {
    const { db, config } = server;
    const length = async () =>
      (await sql<{ n: number }>`select pg_relation_size(${table}) as n`.execute(db)).rows[0]?.n ?? 0;
    const rows = sql`select ${sql.raw(row)} from generate_series(1, 90000) g`;
    await sql`insert into ${sql.table(table)} ${rows}`.execute(db);
    await sql`delete from ${sql.table(table)}`.execute(db);
    const left = await length();
    expect(left).toBeGreaterThan(1_048_576);
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    await part.run(
      { db, config, log, vault: createVault(config.secret), clock: () => new Date() },
      { isStopping: () => false, beside: (_name, work) => work() },
    );
    expect(await length()).toBeLessThan(left / 10);
  },
);
