import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBalance } from '#contract/accounts.ts';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { type SealKind, sealedKinds, sealKinds } from '#server/features/seals/seal-kinds.ts';
import { buildBettors, buildPhase, buildSlips, recordResult } from '#server/testing/build-slips.ts';
import { type BuiltUser, buildUser } from '#server/testing/build-user.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { given } from '#server/testing/given.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';

// How long rows of every kind stand unsealed, looked at many times a second: while several operators and the settlements write, beside a
// transaction that holds its rows back, and while the server that seals is killed.

const SECONDS = Number(process.env.SECONDS ?? 20);
const WRITERS = 6;
const MOST_MS = 5_000;

let postgres: ExternalPostgres;
let db: Db;
const servers: Program[] = [];
const players: BuiltUser[] = [];
const start = () => startProgram({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl });
beforeAll(async () => {
  postgres = await externalPostgres();
  servers.push(await start(), await start());
  db = connect(postgres.url, { timeZone: 'Asia/Shanghai', max: 4, patient: true });
  for (let n = 0; n < WRITERS; n++) players.push(await buildUser(db));
});
afterAll(async () => {
  await db?.destroy();
  for (const server of servers) await server.end('SIGTERM');
  await postgres?.remove();
});

/** Of each kind the last row that others see, and up to which row all are sealed. */
const ends = sql.join(
  sealKinds.map(
    (
      kind,
    ) => sql`select ${kind}::text as kind, coalesce((select max(id) from ${sql.table(sealedKinds[kind].table)}), 0) as last,
      coalesce((select max("toId") from seal where kind = ${kind} and not late), 0) as sealed`,
  ),
  sql` union all `,
);

interface Watched {
  readonly looks: number;
  /** How long rows of a kind stood unsealed at most since they were first seen, in milliseconds. */
  readonly longest: Partial<Record<SealKind, number>>;
}

/** Looks while there is work, and until what it wrote is sealed. */
async function watch(work: Promise<unknown>): Promise<Watched> {
  const longest: Partial<Record<SealKind, number>> = {};
  const seen = new Map<SealKind, { id: number; at: number }[]>(sealKinds.map((kind) => [kind, []]));
  let [looks, isOver, left] = [0, false, true];
  const done = work.finally(() => {
    isOver = true;
  });
  for (; !isOver || left; looks++) {
    const { rows } = await sql<{ kind: SealKind; last: number; sealed: number }>`${ends}`.execute(db);
    const at = performance.now();
    left = false;
    for (const { kind, last, sealed } of rows) {
      const waiting = (seen.get(kind) ?? []).filter(({ id }) => id > sealed);
      if (last > Math.max(sealed, waiting.at(-1)?.id ?? 0)) waiting.push({ id: last, at });
      seen.set(kind, waiting);
      const [oldest] = waiting;
      if (!oldest) continue;
      left = true;
      longest[kind] = Math.max(longest[kind] ?? 0, at - oldest.at);
    }
    await sleep(25);
  }
  await done;
  return { looks, longest };
}

/** Credits by several at once at one server, and phases that are bet on, drawn and settled. */
async function write({ origin }: Program): Promise<void> {
  const until = performance.now() + SECONDS * 1_000;
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  const { envelope } = await testClient(origin).call(login, { username, password });
  const admin = testClient(origin, envelope.data?.access_token);
  const credits = players.map(async ({ accountId: id }) => {
    while (performance.now() < until)
      await admin.call(addBalance, { id, balance: '1' }, { headers: { 'idempotency-key': randomUUID() } });
  });
  const users = await buildBettors(db, 20);
  const lines = [{ rules: 'first' as const, selection: '9', unitStake: '2' }];
  while (performance.now() < until) {
    const phase = await buildPhase(db);
    await buildSlips(
      db,
      phase,
      users.map((userId) => ({ userId, lines })),
    );
    await recordResult(db, phase, '9,3,5,5,5');
    await sleep(200);
  }
  await Promise.all(credits);
}

function tell(what: string, { looks, longest }: Watched): void {
  const told = Object.entries(longest).map(([kind, age]) => `${kind} ${(age / 1_000).toFixed(1)} s`);
  console.log(`${what}: unsealed at most ${told.join(', ')} (${looks} looks)`);
  for (const kind of ['LEDGER', 'CHANGE', 'DRAW', 'SLIP', 'OUTCOME'] as const)
    expect(longest[kind], kind).toBeGreaterThan(0);
  for (const [kind, age] of Object.entries(longest)) expect(age, kind).toBeLessThan(MOST_MS);
}

const second = (): Program => given(servers[1]);

test('every row is sealed within five seconds of its commit while much is written', async () => {
  tell('two servers', await watch(write(second())));
});

test('a transaction that holds its own rows back holds up the seal of nobody else’s', async () => {
  const slow = connect(postgres.url, { timeZone: 'Asia/Shanghai', max: 1, patient: true });
  const held = slow.transaction().execute(async (tx) => {
    await sql`insert into change_record ("userName", call, summary, input, address, outcome)
      values ('slow', 'addRole', '新增角色', '{}', '127.0.0.1', 'SUCCESS')`.execute(tx);
    for (const until = performance.now() + (SECONDS + 6) * 1_000; performance.now() < until; ) {
      await sql`select`.execute(tx);
      await sleep(500);
    }
    return performance.now();
  });
  tell('beside a slow transaction', await watch(write(second())));
  await held;
  await slow.destroy();
  // What it held back has a seal of its own, as soon as it is there.
  const committed = performance.now();
  const late = async () =>
    (await sql`select from seal where late and kind = 'CHANGE'`.execute(db)).rows.length;
  await expect.poll(late, { timeout: MOST_MS, interval: 25 }).toBeGreaterThan(0);
  console.log(
    `what it held back was sealed ${((performance.now() - committed) / 1_000).toFixed(1)} s after it`,
  );
});

test('the server that is killed while it seals is followed by the other one', async () => {
  const killing = (async () => {
    for (let n = 0; n < 3; n++) {
      await sleep((SECONDS * 1_000) / 4);
      await servers[0]?.end('SIGKILL');
      servers[0] = await start();
    }
  })();
  tell('one of two killed three times', await watch(Promise.all([killing, write(second())])));
});
