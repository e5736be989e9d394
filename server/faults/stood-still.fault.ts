import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activateMailConfig, addMailConfig } from '#contract/mail-configs.ts';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { MAILS_AT_ONCE } from '#server/jobs/mails.ts';
import { type BuiltUser, buildUser } from '#server/testing/build-user.ts';
import { buildDrawingGame, type DrawingGame, drawsOf, latestSince } from '#server/testing/drawing-game.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { given } from '#server/testing/given.ts';
import { type Done, mailAddress, sendAgain, startLoad } from '#server/testing/load.ts';
import { expectEffects } from '#server/testing/load-effects.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { startSmtpServer, type TestSmtpServer } from '#server/testing/smtp-server.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';

// One of two servers stands still in the middle of its work, as where its machine is paused, and goes on: what the other one did meanwhile, and
// callers who waited no longer sent there, is not done once more. PAUSES=2 for a quick look.

const PAUSES = Number(process.env.PAUSES ?? 6);
/** Longer than a session may lie idle in a transaction (12 s), and at last longer than anybody's claim on work, a mail's of a minute. */
const STILL_MS = 15_000;
const LONGEST_MS = 70_000;
const WORK_MS = 2_000;
/** Who has no answer by then asks the other server, under the same key. */
const PATIENCE_MS = 4_000;
/** A mail is on its way for so long. */
const MAIL_MS = 1_500;
const PLAYERS = 20;
const KEY = 'platform-key-of-a-server-that-stands-still';

let postgres: ExternalPostgres;
let smtp: TestSmtpServer;
let db: Db;
let programs: Program[];
let game: DrawingGame;
const players: BuiltUser[] = [];
const done: Done[] = [];

async function signIn(): Promise<readonly TestClient[]> {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  const { envelope } = await testClient(given(programs[0]).origin).call(login, { username, password });
  const token = given(envelope.data).access_token;
  return programs.map(({ origin }) => testClient(origin, token, PATIENCE_MS));
}

beforeAll(async () => {
  postgres = await externalPostgres();
  smtp = await startSmtpServer({ onMailFrom: (_address, _session, done) => void setTimeout(done, MAIL_MS) });
  const environment = {
    DATABASE_URL: postgres.url,
    DATABASE_OWNER_URL: postgres.ownerUrl,
    PLATFORM_API_KEY: KEY,
    SPIDER_ALLOWED_HOSTS: smtp.address,
  };
  programs = [await startProgram(environment), await startProgram(environment)];
  db = connect(postgres.url, { timeZone: 'Asia/Shanghai', max: 4, patient: true });
  for (let n = 0; n < PLAYERS; n++) players.push(await buildUser(db, { balance: '100000' }));
  game = await buildDrawingGame(db, 400 + PAUSES * 60);
  const [admin] = await signIn();
  const mail = { host: '127.0.0.1', port: smtp.port, loginTemplate: '主题：验证码\n{{code}}' };
  const { data: id } = (await given(admin).call(addMailConfig, mail)).envelope;
  await given(admin).call(activateMailConfig, { id: given(id) });
}, 300_000);
afterAll(async () => {
  await db?.destroy();
  for (const program of programs ?? []) {
    program.process.kill('SIGCONT');
    await program.end('SIGTERM');
  }
  await smtp?.close();
  await postgres?.remove();
});

const drawn = async () => {
  const draws = given(await drawsOf(db, game, 2));
  return { ...draws, opened: draws.due - draws.opened, drawn: draws.due - draws.drawn, due: 0 };
};
const whole = { due: 0, opened: 0, drawn: 0, twice: 0, unsettled: 0, settledTwice: 0 };
const isReady = async ({ origin }: Program) =>
  (await (await fetch(`${origin}/readyz`)).json()) as Record<string, unknown>;

/** Whether a server has a mail in its hands, that is a connection to the mail server. */
function isSending({ process: { pid } }: Program): boolean {
  const port = smtp.port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote, state]) => remote?.endsWith(`:${port}`) && state === '01')
    .map((fields) => `socket:[${fields[9]}]`);
  return readdirSync(`/proc/${pid}/fd`).some((fd) => {
    try {
      return sockets.includes(readlinkSync(`/proc/${pid}/fd/${fd}`));
    } catch {
      // Closed meanwhile.
      return false;
    }
  });
}

test(`one of two servers stands still ${PAUSES} times and goes on, under bets, orders, entries, credits, debits and mails: nothing has two effects`, async () => {
  for (let turn = 0; turn < PAUSES; turn++) {
    const since = new Date();
    const operators = await signIn();
    const sites = programs.map(({ origin }) => testClient(origin, KEY, PATIENCE_MS));
    const load = startLoad({ game, players, operators, sites, mails: true });
    await sleep(WORK_MS + turn * 137);
    const still = given(programs[turn % programs.length]);
    await expect.poll(() => isSending(still), { timeout: 60_000, interval: 20 }).toBe(true);
    const stillMs = turn === PAUSES - 1 ? LONGEST_MS : STILL_MS;
    still.process.kill('SIGSTOP');
    await sleep(stillMs);
    const before = load.done.length;
    still.process.kill('SIGCONT');
    await sleep(WORK_MS);
    await load.end();
    expect(load.strange).toEqual([]);
    // The other one went on meanwhile.
    expect(before).toBeGreaterThan(stillMs / 1_000);
    done.push(...load.done);
    await sendAgain(load.done.filter((_, place) => place % 5 === 0));
    await expectEffects(db, { players, game }, done);
    await expect.poll(() => isReady(still), { timeout: 60_000 }).toEqual({ status: 'ready' });
    const late = await latestSince(db, game, since);
    const again = load.done.filter(({ times }) => times > 1).length;
    console.log(
      `still for ${stillMs / 1_000} s: ${load.done.length} acknowledged, ${again} of them sent again; the latest draw ${late.toFixed(1)} s late`,
    );
    expect(late).toBeLessThan(STILL_MS / 1_000);
  }
  await expect.poll(drawn, { timeout: 60_000, interval: 500 }).toEqual(whole);
  await expectEffects(db, { players, game }, done);
  expect(programs.map(({ process }) => process.exitCode)).toEqual([null, null]);
}, 1_800_000);

test('each mail went out, and twice only those that the server had in its hands when it stood still', async () => {
  const mails = done.filter(({ kind }) => kind === 'mail');
  const states = async () => {
    const { rows } = await sql<{ status: string; n: number }>`
      select status, count(*) as n from mail_outbox group by 1`.execute(db);
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  };
  await expect.poll(states, { timeout: 240_000, interval: 1_000 }).toEqual({ SENT: mails.length });
  const got = smtp.received.flatMap(({ to }) => to);
  expect(new Set(got)).toEqual(new Set(mails.map(({ key }) => mailAddress(key))));
  console.log(`${mails.length} mails, ${got.length - mails.length} of them twice`);
  expect(got.length - mails.length).toBeLessThanOrEqual(PAUSES * MAILS_AT_ONCE);
}, 300_000);
