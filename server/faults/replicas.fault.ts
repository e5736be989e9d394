import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addRole, listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { connect } from '#server/db/database.ts';
import { type Balancer, startBalancer } from '#server/testing/balancer.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';

const CALLERS = 12;
const ROUNDS = 20;
type Replica = Awaited<ReturnType<ExternalPostgres['replicate']>>;

let primary: ExternalPostgres;
let replicas: Replica[];
let program: Program | undefined;
let balancer: Balancer | undefined;

beforeEach(async () => {
  primary = await externalPostgres();
  await (await startProgram({ DATABASE_URL: primary.url, DATABASE_OWNER_URL: primary.ownerUrl })).end(
    'SIGTERM',
  );
  replicas = [await primary.replicate(), await primary.replicate()];
});
afterEach(async () => {
  await program?.end('SIGKILL');
  balancer?.close();
  for (const each of [...replicas, primary]) await each.remove();
});

async function asSuperuser(at: { readonly url: string }, statement: string): Promise<void> {
  const url = new URL(primary.adminUrl);
  url.port = new URL(at.url).port;
  url.pathname = new URL(at.url).pathname;
  const admin = connect(url.href, { timeZone: 'UTC', max: 1 });
  await sql.raw(statement).execute(admin);
  await admin.destroy();
}

async function startReading(DATABASE_URL: string, DATABASE_REPLICA_URL: string): Promise<TestClient> {
  program = await startProgram({ DATABASE_URL, DATABASE_REPLICA_URL });
  const { origin } = program;
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  const { envelope } = await testClient(origin).call(login, { username, password });
  const state = async () => ((await (await fetch(`${origin}/readyz`)).json()) as { replica: string }).replica;
  await expect.poll(state, { timeout: 15_000 }).toBe('ready');
  return testClient(origin, envelope.data?.access_token);
}

const fromReplicas = async (): Promise<number> => {
  const text = await (await fetch(`${program?.origin}/metrics`)).text();
  return Number(/database_reads_total\{from="replica"\} (\d+)/.exec(text)?.[1] ?? 0);
};

/** How many of its own changes an operator did not see at once, several asking at the same time. */
async function hidden(client: TestClient): Promise<number> {
  let missed = 0;
  const caller = async (who: number) => {
    for (let round = 0; round < ROUNDS; round++) {
      const name = `own-${who}-${round}`;
      await client.call(addRole, { desc: '读己之写', name });
      const { envelope } = await client.call(listRoles, { name });
      if (!envelope.data?.some((role) => role.name === name)) missed++;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, who) => caller(who)));
  return missed;
}

test('an address that leads to several replicas: one that is held back never hides an own change, and the others are read', async () => {
  const [held, well] = replicas;
  if (!held || !well) throw new Error('two replicas');
  balancer = await startBalancer([held, well].map(({ url }) => `http://127.0.0.1:${new URL(url).port}`));
  const both = new URL(well.url);
  both.port = new URL(balancer.origin).port;
  const client = await startReading(primary.url, both.href);
  await asSuperuser(held, 'select pg_wal_replay_pause()');
  expect(await hidden(client)).toBe(0);
  const read = await fromReplicas();
  console.log(`${read} of ${CALLERS * ROUNDS} reads right after a change were answered by a replica`);
  expect(read).toBeGreaterThan(0);
}, 300_000);

test('a replica that has what the new primary never got does not answer in its place, until it follows it', async () => {
  const [promoted, ahead] = replicas;
  if (!promoted || !ahead) throw new Error('two replicas');
  await promoted.stop();
  // What only one of them gets: its log is far ahead of the other's.
  await asSuperuser(
    primary,
    `create table only_there as select repeat('x', 1000) from generate_series(1, 50000)`,
  );
  const there = connect(ahead.url, { timeZone: 'UTC', max: 1 });
  const arrived = async () =>
    (await sql<{ there: boolean }>`select to_regclass('only_there') is not null as there`.execute(there))
      .rows[0]?.there;
  await expect.poll(arrived, { timeout: 60_000 }).toBe(true);
  await there.destroy();
  primary.kill();
  await promoted.start();
  await asSuperuser(promoted, 'select pg_promote()');
  const client = await startReading(promoted.url, ahead.url);
  expect(await hidden(client)).toBe(0);
  expect(await fromReplicas()).toBe(0);
}, 300_000);
