import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBalance, pageAccounts } from '#contract/accounts.ts';
import { addRole } from '#contract/roles.ts';
import { login, refreshToken } from '#contract/sign-in.ts';
import type { Db } from '#server/db/database.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

/** Seconds, on a busy machine; a lock is waited for up to eight. */
const AT_ONCE = 3;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Takes a lock, does something while others wait for it, and lets go. */
async function whileHeld(lock: (tx: Db) => Promise<unknown>, work: () => Promise<void>): Promise<void> {
  await server.db.transaction().execute(async (tx) => {
    await lock(tx);
    await work();
  });
}

/** Waits until so many sessions of the database wait for a lock: then the callers stand where they should. */
const waiters = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db);
  return rows[0]?.n ?? 0;
};

async function seconds(work: () => Promise<{ envelope: { success: boolean } }>): Promise<number> {
  const began = performance.now();
  const { envelope } = await work();
  expect(envelope.success).toBe(true);
  return (performance.now() - began) / 1_000;
}

const ready = async () => (await fetch(`${server.origin}/readyz`)).status;

describe('callers of one kind that wait for a lock', () => {
  it('20 credits of one locked account hold up no list, no sign-in and no health check', async () => {
    const admin = await server.admin();
    const { accountId } = await buildUser(server.db);
    let credits: Promise<unknown> = Promise.resolve();
    await whileHeld(
      (tx) => sql`select from account where id = ${accountId} for update`.execute(tx),
      async () => {
        credits = Promise.all(
          Array.from({ length: 20 }, () => admin.call(addBalance, { id: accountId, balance: '1' })),
        );
        // Credits of one account wait together, on one connection.
        await expect.poll(waiters, { timeout: 30_000 }).toBeGreaterThanOrEqual(1);
        expect(await seconds(() => admin.call(pageAccounts, { currentPage: 1, pageSize: 20 }))).toBeLessThan(
          1,
        );
        const { adminUsername: username, adminPassword } = server.config;
        const password = adminPassword ?? '';
        expect(await seconds(() => server.anonymous.call(login, { username, password }))).toBeLessThan(
          AT_ONCE,
        );
        expect(await ready()).toBe(200);
      },
    );
    await credits;
  });

  it('20 sign-ins of one account that is in line hold up no change, no list and no health check', async () => {
    const admin = await server.admin();
    const attempt = { username: 'mallory', password: 'whatever it is' };
    let attempts: Promise<unknown> = Promise.resolve();
    await whileHeld(
      (tx) => sql`select pg_advisory_xact_lock(hashtextextended('sign-in:mallory', 0))`.execute(tx),
      async () => {
        attempts = Promise.all(Array.from({ length: 20 }, () => server.anonymous.call(login, attempt)));
        await expect.poll(waiters, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
        expect(await seconds(() => admin.call(addRole, { desc: '改', name: 'meanwhile' }))).toBeLessThan(
          AT_ONCE,
        );
        expect(await seconds(() => admin.call(pageAccounts, { currentPage: 1, pageSize: 20 }))).toBeLessThan(
          1,
        );
        expect(await ready()).toBe(200);
      },
    );
    await attempts;
    // And they themselves go on.
    expect((await server.anonymous.call(refreshToken, { refresh_token: 'x'.repeat(43) })).envelope.code).toBe(
      401,
    );
  });
});
