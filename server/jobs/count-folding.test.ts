import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startTestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { countFolding } from './count-folding.ts';

it('a server that starts gives back what a burst left before it, since every list reads all of it', async () => {
  const { db, config, close } = await startTestServer();
  const length = async () => {
    const { rows } = await sql<{ n: number }>`select pg_relation_size('list_delta') as n`.execute(db);
    return rows[0]?.n ?? 0;
  };
  await sql`insert into list_delta select 'account_history', '', 1, g, 1 from generate_series(1, 90000) g`.execute(
    db,
  );
  await sql`delete from list_delta`.execute(db);
  const left = await length();
  expect(left).toBeGreaterThan(4_194_304);
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  await countFolding().run(
    { db, config, log, vault: createVault(config.secret), clock: () => new Date() },
    { isStopping: () => false, beside: (_name, work) => work() },
  );
  expect(await length()).toBeLessThan(left / 10);
  await close();
});
