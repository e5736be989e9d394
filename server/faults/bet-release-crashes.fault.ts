import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { releaseApproval } from '#contract/approvals.ts';
import { applyCorrection, previewCorrection } from '#contract/corrections.ts';
import { previewRebates, releaseRebates } from '#contract/rebates.ts';
import { releaseHeldSlips } from '#contract/settlements.ts';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { proveBets } from '#server/features/bets-proof/prove-bets.ts';
import { setParam, waiting } from '#server/testing/approving.ts';
import { allGrants, buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { buildPastGame, pastDay } from '#server/testing/build-rebates.ts';
import {
  buildBettors,
  buildPhase,
  buildSlips,
  claimResults,
  recordResult,
} from '#server/testing/build-slips.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';

const PATIENCE = { timeout: 60_000 };
const [FIRST, CORRECTED] = ['9,3,5,5,5', '1,3,5,5,5'];

let postgres: ExternalPostgres;
let program: Program;
let db: Db;
let checker: { username: string };

const start = () => startProgram({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl });
const signedIn = async (username: string, password: string) =>
  testClient(
    program.origin,
    (await testClient(program.origin).call(login, { username, password })).envelope.data?.access_token,
  );
const maker = () => signedIn(programEnvironment.ADMIN_USERNAME, programEnvironment.ADMIN_PASSWORD);
const second = () => signedIn(checker.username, PASSWORD);

beforeAll(async () => {
  postgres = await externalPostgres();
  program = await start();
  db = connect(postgres.url, { timeZone: 'Asia/Shanghai', max: 4 });
  checker = await buildOperator(db, { grants: await allGrants(db) });
  await setParam(db, 'approval.enabled', 'true');
});
afterAll(async () => {
  await db?.destroy();
  await program?.end('SIGTERM');
  await postgres?.remove();
});

/** Two players' slips on the first number, one on 9 and one on 1, drawn as 9. */
async function drawn() {
  const [one = 0, other = 0] = await buildBettors(db, 2, '100');
  const phase = await buildPhase(db);
  const [winner = 0, loser = 0] = await buildSlips(db, phase, [
    { userId: one, lines: [{ rules: 'first', selection: '9', unitStake: '2' }] },
    { userId: other, lines: [{ rules: 'first', selection: '1', unitStake: '2' }] },
  ]);
  const recordId = await recordResult(db, phase, FIRST);
  await claimResults(db, recordId, [CORRECTED]);
  return { ...phase, users: [one, other], winner, loser, recordId };
}
const statusOf = async (slipId: number) =>
  (await db.selectFrom('slip').select('status').where('id', '=', slipId).executeTakeFirstOrThrow()).status;
const totalsOf = async (users: readonly number[]) => {
  const rows = await db
    .selectFrom('account')
    .select('totalAmount')
    .where('userId', 'in', [...users])
    .orderBy('userId')
    .execute();
  return rows.map(({ totalAmount }) => totalAmount);
};
const settlementOf = async (gameId: number) => {
  const query = db.selectFrom('settlement').select(['id', 'status', 'kind']).where('gameId', '=', gameId);
  return query.orderBy('id', 'desc').executeTakeFirstOrThrow();
};
const isWaiting = async () => {
  const { rows } = await sql`
    select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
  return rows.length > 0;
};

/** Kills the server while what it does waits for a row that is held here, and starts another. */
async function killedAt(held: ReturnType<typeof sql>, work: () => Promise<unknown>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await held.execute(tx);
    const sent = work().catch(() => undefined);
    await expect.poll(isWaiting, PATIENCE).toBe(true);
    await program.end('SIGKILL');
    await sent;
  });
  await expect.poll(isWaiting, PATIENCE).toBe(false);
  program = await start();
}
async function expectWhole(): Promise<void> {
  expect((await proveBets(db)).breaks).toEqual([]);
  await expectProven(db);
}

test('a server killed while it lets a held win go, before its commit or while the win is paid, leaves it held or pays it once', async () => {
  await setParam(db, 'bet.holdPayoutAbove', '10');
  const { gameId, users, winner, loser } = await drawn();
  await expect.poll(() => statusOf(winner), PATIENCE).toBe('HELD');
  await expect.poll(() => statusOf(loser), PATIENCE).toBe('LOST');
  await expect.poll(async () => (await settlementOf(gameId)).status, PATIENCE).toBe('HELD');
  const { id } = await settlementOf(gameId);
  const input = { id, slipId: winner, reason: '核对无误' };
  const before = await maker();
  await killedAt(sql`select from settlement where id = ${id} for update`, () =>
    before.call(releaseHeldSlips, input),
  );
  expect(await statusOf(winner)).toBe('HELD');
  expect(await totalsOf(users)).toEqual(['98.00', '98.00']);
  const after = await maker();
  await killedAt(sql`select from account where "userId" = ${users[0] ?? 0} for update`, async () =>
    expect((await after.call(releaseHeldSlips, input)).envelope.data).toBe(1),
  );
  await expect.poll(() => statusOf(winner), PATIENCE).toBe('WON');
  expect(await totalsOf(users)).toEqual(['117.58', '98.00']);
  await setParam(db, 'bet.holdPayoutAbove', '0');
  await expectWhole();
}, 300_000);

test('a server killed while a correction is released, before its commit or while it is posted, leaves it waiting or corrects once', async () => {
  const { gameId, users, winner, loser, recordId } = await drawn();
  await expect.poll(async () => (await settlementOf(gameId)).status, PATIENCE).toBe('DONE');
  expect(await totalsOf(users)).toEqual(['117.58', '98.00']);
  const wanted = { recordId, result: CORRECTED };
  const asking = await maker();
  const { digest } = given((await asking.call(previewCorrection, wanted)).envelope.data);
  const id = waiting(await asking.call(applyCorrection, { ...wanted, reason: '官网公告已更正', digest }));
  const before = await second();
  await killedAt(sql`select from draw_record where id = ${recordId} for update`, () =>
    before.call(releaseApproval, { id }),
  );
  const approval = db.selectFrom('approval').select('status').where('id', '=', id);
  expect((await approval.executeTakeFirstOrThrow()).status).toBe('PENDING');
  expect((await settlementOf(gameId)).kind).toBe('FIRST');
  const after = await second();
  await killedAt(sql`select from account where "userId" = ${users[0] ?? 0} for update`, async () =>
    expect((await after.call(releaseApproval, { id })).envelope.success).toBe(true),
  );
  await expect.poll(() => statusOf(loser), PATIENCE).toBe('WON');
  await expect.poll(async () => (await settlementOf(gameId)).status, PATIENCE).toBe('DONE');
  expect(await statusOf(winner)).toBe('LOST');
  expect(await totalsOf(users)).toEqual(['98.00', '117.42']);
  expect((await approval.executeTakeFirstOrThrow()).status).toBe('RELEASED');
  await expectWhole();
}, 300_000);

/** More than are paid in two transactions. */
const PAYEES = 450;

test('a server killed while rebates are released, before its commit or while they are paid, leaves them waiting or pays each once', async () => {
  const day = await pastDay(db, 1);
  const { categoryId, play } = await buildPastGame(db);
  const users = await buildBettors(db, PAYEES, '100');
  await sql`insert into rebate_rate ("categoryId", level, rate, "validFrom") values (${categoryId}, 0, 0.005, ${day}::date)`.execute(
    db,
  );
  const lines = [{ rules: 'first' as const, selection: '9', unitStake: '10' }];
  await play(
    day,
    users.map((userId) => ({ userId, lines })),
  );
  const asking = await maker();
  const prepared = async () => (await asking.call(previewRebates, { day })).envelope.data;
  await expect.poll(prepared, PATIENCE).toMatchObject({ stale: false, payees: PAYEES, rebate: '22.50' });
  const id = waiting(await asking.call(releaseRebates, { day }));
  const before = await second();
  await killedAt(sql`select from rebate_run where day = ${day}::date for update`, () =>
    before.call(releaseApproval, { id }),
  );
  const run = db.selectFrom('rebate_run').select('status').where('day', '=', day);
  expect((await run.executeTakeFirstOrThrow()).status).toBe('PREPARED');
  const after = await second();
  await killedAt(sql`select from account where "userId" = ${users.at(-1) ?? 0} for update`, async () =>
    expect((await after.call(releaseApproval, { id })).envelope.success).toBe(true),
  );
  await expect.poll(async () => (await run.executeTakeFirstOrThrow()).status, PATIENCE).toBe('DONE');
  expect(await totalsOf(users)).toEqual(users.map(() => '90.05'));
  await expectWhole();
}, 300_000);
