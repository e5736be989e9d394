import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { countFolding, exposureFolding, reportFolding } from './count-folding.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it.each([
  ['list_delta', `'account_history', '', 1, g, 1`, countFolding],
  ['report_delta', `now(), g, 1, 1, '{0}'`, reportFolding],
  ['exposure_delta', `1, 'p' || g, 1, 1, '1', 2, 1, 3`, exposureFolding],
] as const)(
  'what a burst left of %s before a server started is given back: every reader reads all of it',
  async (table, row, partOf) => {
    const { db, config } = server;
    // The database's own sweeper does not come between.
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = off)`.execute(server.database.owner);
    const length = async () =>
      (await sql<{ n: number }>`select pg_relation_size(${table}) as n`.execute(db)).rows[0]?.n ?? 0;
    const rows = sql`select ${sql.raw(row)} from generate_series(1, 90000) g`;
    await sql`insert into ${sql.table(table)} ${rows}`.execute(db);
    await sql`delete from ${sql.table(table)}`.execute(db);
    const left = await length();
    expect(left).toBeGreaterThan(1_048_576);
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const services = { db, config, log, vault: createVault(config.secret), clock: () => new Date() };
    const turn = { isStopping: () => false, beside: <T>(_name: string, work: () => T) => work() };
    // What gives back gives way to whoever reads just then: so does the next server that starts.
    await expect
      .poll(async () => {
        await partOf().run(services, turn);
        return length();
      })
      .toBeLessThan(left / 10);
  },
);

it('what has become very much is folded lot by lot, each of them soon, and comes to the same', async () => {
  const { db } = server;
  const many = sql`generate_series(0, 69999) g`;
  await sql`insert into list_delta select 'account_history', 'WIN', 5, g % 70, 1 from ${many}`.execute(db);
  await sql`insert into exposure_delta select 1, 'p', 1, 1, g % 7, 2, 1, 3 from ${many}`.execute(db);
  await sql`insert into report_delta (day, "userId", "gameId", "playWayId", agents, slips, "waySlips", stake)
    select date '2026-03-01' + g % 2, g % 30000, 1, g % 3, '{0}', 1, 1, 2 from ${many}`.execute(db);
  const lots = async (fold: 'fold_list_deltas' | 'fold_exposure' | 'fold_report') => {
    const sizes: number[] = [];
    for (let n = 1; n > 0; sizes.push(n)) {
      const { rows } = await sql<{ n: number }>`select ${sql.id(fold)}() as n`.execute(db);
      n = rows[0]?.n ?? 0;
    }
    return sizes;
  };
  for (const fold of ['fold_list_deltas', 'fold_exposure'] as const)
    expect(await lots(fold)).toEqual([50_000, 20_000, 0]);
  expect(await lots('fold_report')).toEqual([...Array(7).fill(10_000), 0]);
  const { rows } = await sql<{
    counted: number;
    stake: string;
    slips: number;
    players: number;
    each: number;
  }>`
    select (select n from list_count where list = 'account_history' and key = 'WIN' and "idBits" = 63) as counted,
      (select sum(stake) from exposure where "gameId" = 1 and phase = 'p') as stake, sum(slips)::int as slips, sum(players)::int as players,
      (select count(*)::int from report_player where level = 0) as each
    from report_sum where level = 0 and "agentId" = 0`.execute(db);
  expect(rows).toEqual([{ counted: 70_000, stake: '140000', slips: 70_000, players: 30_000, each: 30_000 }]);
}, 60_000);
