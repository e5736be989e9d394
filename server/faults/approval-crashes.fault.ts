import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBalance } from '#contract/accounts.ts';
import { releaseApproval } from '#contract/approvals.ts';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { setParam, waiting } from '#server/testing/approving.ts';
import { allGrants, buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { type BuiltUser, balanceOf, buildUser } from '#server/testing/build-user.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';

const CRASHES = Number(process.env.CRASHES ?? 6);

let postgres: ExternalPostgres;
let program: Program;
let db: Db;
let player: BuiltUser;
let checker: { username: string };

const start = () => startProgram({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl });
const signedIn = async (username: string, password: string) =>
  testClient(
    program.origin,
    (await testClient(program.origin).call(login, { username, password })).envelope.data?.access_token,
  );
const { ADMIN_USERNAME, ADMIN_PASSWORD } = programEnvironment;

beforeAll(async () => {
  postgres = await externalPostgres();
  program = await start();
  db = connect(postgres.url, { timeZone: 'Asia/Shanghai' });
  player = await buildUser(db);
  checker = await buildOperator(db, { grants: await allGrants(db) });
  await setParam(db, 'approval.enabled', 'true');
});
afterAll(async () => {
  await db?.destroy();
  await program?.end('SIGTERM');
  await postgres?.remove();
});

const stateOf = async (id: number) =>
  (await db.selectFrom('approval').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;

/** How many statements of the program wait for a lock. */
const waitingStatements = async () =>
  (
    await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%post_entries%'`.execute(db)
  ).rows[0]?.n;

test(`a release killed before its effect leaves it to be released, and one killed after its commit has one effect (${CRASHES} times)`, async () => {
  let credited = 0;
  for (let round = 1; round <= CRASHES; round++) {
    const maker = await signedIn(ADMIN_USERNAME, ADMIN_PASSWORD);
    const id = waiting(await maker.call(addBalance, { id: player.accountId, balance: String(round) }));
    const second = await signedIn(checker.username, PASSWORD);
    const key = randomUUID();
    const headers = { 'idempotency-key': key };
    if (round % 2 === 0) {
      // Decided in its transaction, and waiting for the account that somebody holds: that is where it is killed.
      await db.transaction().execute(async (tx) => {
        await sql`select from account where id = ${player.accountId} for update`.execute(tx);
        const sent = second.call(releaseApproval, { id }, { headers }).catch(() => undefined);
        await expect.poll(waitingStatements, { timeout: 20_000 }).toBe(1);
        await program.end('SIGKILL');
        await sent;
      });
      await expect.poll(waitingStatements, { timeout: 20_000 }).toBe(0);
      expect(await stateOf(id)).toBe('PENDING');
      expect((await balanceOf(db, player.userId)).totalAmount).toBe(`${credited}.00`);
    } else {
      // Killed between the commit and the answer, or thereabouts.
      const sent = second.call(releaseApproval, { id }, { headers }).catch(() => undefined);
      await expect.poll(() => stateOf(id), { timeout: 20_000, interval: 1 }).toBe('RELEASED');
      await program.end('SIGKILL');
      await sent;
    }
    program = await start();
    const again = await signedIn(checker.username, PASSWORD);
    const { envelope } = await again.call(releaseApproval, { id }, { headers });
    expect(envelope.success).toBe(true);
    credited += round;
    expect((await balanceOf(db, player.userId)).totalAmount).toBe(`${credited}.00`);
    expect(await stateOf(id)).toBe('RELEASED');
  }
  await expectProven(db);
  console.log(`${CRASHES} releases killed: ${credited}.00 credited, each once`);
}, 600_000);
