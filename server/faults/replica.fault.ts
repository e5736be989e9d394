import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageAccounts } from '#contract/accounts.ts';
import { exportFormats } from '#contract/export-formats.ts';
import { pageNews } from '#contract/news.ts';
import { addNewsCategory } from '#contract/news-categories.ts';
import { createUser, getUserBalance, placeWithdrawal } from '#contract/platform.ts';
import { requestFor } from '#contract/request.ts';
import { addRole, listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { markWithdrawal, pageWithdrawals } from '#contract/withdrawals.ts';
import { connect, type Db } from '#server/db/database.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { given } from '#server/testing/given.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';

const PLATFORM_API_KEY = 'platform-key-of-the-replica-run-0123456789';
/** A second for the watch to notice, and as much again on a busy machine. */
const SWITCH_MS = 2_000;
const ZONE = 'Asia/Shanghai';

let primary: ExternalPostgres;
let replica: Awaited<ReturnType<ExternalPostgres['replicate']>>;
let onPrimary: Db;
let onReplica: Db;
let programs: Program[];
let clients: TestClient[];
let platform: TestClient[];

beforeAll(async () => {
  primary = await externalPostgres();
  replica = await primary.replicate({ hot_standby_feedback: 'on', max_standby_streaming_delay: '1s' });
  onPrimary = connect(primary.url, { timeZone: ZONE, max: 4 });
  onReplica = connect(replica.url, { timeZone: ZONE, max: 2 });
  const environment = {
    DATABASE_URL: primary.url,
    DATABASE_OWNER_URL: primary.ownerUrl,
    DATABASE_REPLICA_URL: replica.url,
    PLATFORM_API_KEY,
    LOG_LEVEL: 'info',
  };
  programs = [await startProgram(environment), await startProgram(environment)];
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  const { envelope } = await testClient(programs[0]?.origin ?? '').call(login, { username, password });
  clients = programs.map(({ origin }) => testClient(origin, envelope.data?.access_token));
  platform = programs.map(({ origin }) => testClient(origin, PLATFORM_API_KEY));
});
afterAll(async () => {
  for (const program of programs) await program.end('SIGTERM');
  await Promise.all([onPrimary.destroy(), onReplica.destroy()]);
  await replica.remove();
  await primary.remove();
});

function each<T>(list: readonly T[], index: number): T {
  const one = list[index % list.length];
  if (one === undefined) throw new Error('an empty list');
  return one;
}
const readyz = async (): Promise<{ status: string; replica: string }> => {
  const answer = await fetch(`${programs[0]?.origin}/readyz`);
  return (await answer.json()) as { status: string; replica: string };
};
const reads = async (from: string): Promise<number> => {
  const counts = programs.map(async ({ origin }) => {
    const text = await (await fetch(`${origin}/metrics`)).text();
    return Number(new RegExp(`database_reads_total\\{from="${from}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  });
  return (await Promise.all(counts)).reduce((sum, n) => sum + n, 0);
};
const isRead = () => expect.poll(async () => (await readyz()).replica, { timeout: 15_000 }).toBe('ready');

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const began = performance.now();
  return [await work(), performance.now() - began];
}

describe('two servers with a streaming replica', () => {
  test('a change is seen by the next call at the other server, whoever makes it, while most reads leave the primary', async () => {
    await isRead();
    const before = await reads('replica');
    const ROUNDS = 200;
    for (let round = 0; round < ROUNDS; round++) {
      const name = `seen-${round}`;
      const added = await each(clients, round).call(addRole, { desc: '读己之写', name });
      expect(added.envelope.success).toBe(true);
      const { envelope } = await each(clients, round + 1).call(listRoles, { name });
      expect(envelope.data?.map((role) => role.name)).toContain(name);
    }
    const there = (await reads('replica')) - before;
    console.log(`${there} of ${ROUNDS} reads right after a change were answered by the replica`);
    expect(there).toBeGreaterThan(ROUNDS / 4);
  });

  test('a replica that is held back is not read from, and money never is', async () => {
    await isRead();
    await sql`select pg_wal_replay_pause()`.execute(connectAdmin());
    try {
      for (let round = 0; round < 10; round++) {
        const nickName = `平台用户 ${round}`;
        const { envelope: made } = await each(platform, round).call(createUser, { nickName });
        const id = given(made.data);
        const { envelope } = await each(platform, round + 1).call(getUserBalance, { id });
        expect(envelope).toMatchObject({ success: true, data: { userId: id } });
      }
      const { userId, username } = await buildUser(onPrimary, { balance: '100' });
      const placed = await each(platform, 0).call(placeWithdrawal, {
        userId,
        amount: '40',
        bankOrderNo: `held-${userId}`,
        receiveAccount: { accountNo: '6222', realName: '某人', alias: '卡' },
      });
      const id = given(placed.envelope.data);
      expect((await each(clients, 0).call(markWithdrawal, { id, action: 'PAID' })).envelope.success).toBe(
        true,
      );
      const orders = await each(clients, 1).call(pageWithdrawals, { id, currentPage: 1, pageSize: 1 });
      expect(orders.envelope.data?.data[0]).toMatchObject({ id, status: 'SUCCESS' });
      const accounts = await each(clients, 1).call(pageAccounts, { username, currentPage: 1, pageSize: 1 });
      expect(accounts.envelope.data?.data[0]).toMatchObject({ totalAmount: '60.00', freezeAmount: '0.00' });
    } finally {
      await sql`select pg_wal_replay_resume()`.execute(connectAdmin());
    }
  });

  test('one that stops, and one that hangs: no list fails, none waits longer than about a second, and it is read again after', async () => {
    for (const [how, away, back] of [
      ['killed', () => replica.kill(), () => replica.start()],
      ['frozen', () => replica.freeze(), async () => replica.thaw()],
    ] as const) {
      await isRead();
      away();
      const slowest = { ms: 0 };
      const until = performance.now() + 4_000;
      const caller = async (index: number) => {
        while (performance.now() < until) {
          const [{ status, envelope }, ms] = await timed(() => each(clients, index).call(listRoles, {}));
          expect({ status, success: envelope.success }).toEqual({ status: 200, success: true });
          slowest.ms = Math.max(slowest.ms, ms);
        }
      };
      await Promise.all([0, 1, 2, 3].map(caller));
      expect(await readyz()).toEqual({ status: 'ready', replica: 'unreachable' });
      await back();
      const [, ms] = await timed(isRead);
      const before = await reads('replica');
      await each(clients, 0).call(listRoles, {});
      expect(await reads('replica')).toBeGreaterThan(before);
      console.log(
        `${how}: slowest list ${slowest.ms.toFixed(0)} ms, read again ${ms.toFixed(0)} ms after its return`,
      );
      expect(slowest.ms).toBeLessThan(SWITCH_MS);
    }
    expect(programs[0]?.said.join('\n')).toContain('queries go to the primary');
  });

  test('queries that are in the way of what is replayed are answered all the same', async () => {
    await isRead();
    // Each round locks out the readers of a table on the replica and removes rows they may still see.
    const until = performance.now() + 6_000;
    let locks = 0;
    const locking = (async () => {
      while (performance.now() < until) {
        await onPrimary.transaction().execute(async (tx) => {
          await sql`lock table role in access exclusive mode`.execute(tx);
          await sql`update role set "desc" = "desc"`.execute(tx);
        });
        await sql`vacuum role`.execute(onPrimary);
        locks++;
        await sleep(20);
      }
    })();
    let answered = 0;
    const caller = async (index: number) => {
      while (performance.now() < until) {
        const { status } = await each(clients, index).call(listRoles, {});
        expect(status).toBe(200);
        answered++;
      }
    };
    await Promise.all([locking, ...[0, 1, 2, 3].map(caller)]);
    console.log(`${answered} lists beside ${locks} conflicting changes, none failed`);
  });

  test('an export over longer than replay may wait is complete and holds up nobody’s reading', async () => {
    await isRead();
    const { envelope } = await each(clients, 0).call(addNewsCategory, { name: '很长' });
    const categoryId = given(envelope.data);
    await sql`insert into news ("categoryId", title, content)
      select ${categoryId}::bigint, 'n' || g, repeat('x', 500) from generate_series(1, 60000) g`.execute(
      onPrimary,
    );
    await expect.poll(() => lag()).toBeLessThan(1_000);
    const { origin } = each(programs, 0);
    const { method, url, body, contentType } = requestFor(pageNews, { categoryId });
    const answer = await fetch(origin + url, {
      method,
      body,
      headers: {
        accept: exportFormats.csv,
        authorization: `Bearer ${each(clients, 0).token}`,
        ...(contentType ? { 'content-type': contentType } : {}),
      },
    });
    // Its transaction stands idle once nobody takes what it has sent.
    const snapshots = async () =>
      (
        await sql`select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`.execute(
          onReplica,
        )
      ).rows;
    await expect.poll(snapshots).toHaveLength(1);
    const reader = answer.body?.getReader();
    const pieces: Uint8Array[] = [];
    let worst = 0;
    let ended = false;
    const writing = (async () => {
      // Counted rows come and are folded all the time.
      for (let i = 0; !ended; i++) {
        await each(platform, i).call(createUser, { nickName: `写 ${i}` });
        worst = Math.max(worst, await lag());
        await sleep(50);
      }
    })();
    // A slow reader: the snapshot stands far longer than the second that replay waits for it.
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      pieces.push(part.value);
      if (pieces.length % 100 === 0) await sleep(800);
    }
    ended = true;
    await writing;
    const rows = Buffer.concat(pieces).toString('utf8').split('\r\n').length - 2;
    console.log(`${rows} rows exported; the replica was at most ${worst} ms behind meanwhile`);
    expect(rows).toBe(60_000);
    expect(worst).toBeLessThan(3_000);
  });
});

/** How far the replica is behind, in milliseconds: how long it takes until it has what the primary has now. */
async function lag(): Promise<number> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_flush_lsn()::text as lsn`.execute(
    onPrimary,
  );
  const began = performance.now();
  for (;;) {
    const { rows: there } = await sql<{
      has: boolean;
    }>`select pg_last_wal_replay_lsn() >= ${rows[0]?.lsn}::pg_lsn as has`.execute(onReplica);
    if (there[0]?.has) return Math.round(performance.now() - began);
    await sleep(5);
  }
}

let admin: Db | undefined;
/** As the replica's superuser, which alone may hold replay back. */
function connectAdmin(): Db {
  if (admin) return admin;
  const url = new URL(primary.adminUrl);
  url.port = new URL(replica.url).port;
  admin = connect(url.href, { timeZone: ZONE, max: 1 });
  return admin;
}
afterAll(() => admin?.destroy());
