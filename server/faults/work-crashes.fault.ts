import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBetLimit } from '#contract/bet-limits.ts';
import { activateMailConfig, addMailConfig } from '#contract/mail-configs.ts';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { MAILS_AT_ONCE } from '#server/jobs/mails.ts';
import { type BuiltUser, buildUser } from '#server/testing/build-user.ts';
import { buildDrawingGame, type DrawingGame, drawsOf } from '#server/testing/drawing-game.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { freePort } from '#server/testing/free-port.ts';
import { given } from '#server/testing/given.ts';
import { type Done, mailAddress, sendAgain, startLoad } from '#server/testing/load.ts';
import { expectEffects } from '#server/testing/load-effects.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { startSmtpServer, type TestSmtpServer } from '#server/testing/smtp-server.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';

// All that moves money, and mails, under crashes at any moment; a game draws and settles meanwhile. CRASHES=2 for a quick look.
const CRASHES = Number(process.env.CRASHES ?? 12);
const PLAYERS = 20;
const KEY = 'platform-key-of-the-crashes-0123456789';
const WORK_MS = { least: 400, most: 2_500 };

let postgres: ExternalPostgres;
let smtp: TestSmtpServer;
let db: Db;
let programs: Program[];
let ports: number[];
let game: DrawingGame;
const players: BuiltUser[] = [];
const done: Done[] = [];

const start = (place: number) =>
  startProgram({
    DATABASE_URL: postgres.url,
    DATABASE_OWNER_URL: postgres.ownerUrl,
    PLATFORM_API_KEY: KEY,
    SPIDER_ALLOWED_HOSTS: smtp.address,
    PORT: String(ports[place]),
  });

/** Anew for each crash: a token is good for a quarter of an hour. */
async function signIn(): Promise<readonly TestClient[]> {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  const { envelope } = await testClient(given(programs[0]).origin).call(login, { username, password });
  return programs.map(({ origin }) => testClient(origin, given(envelope.data).access_token));
}

beforeAll(async () => {
  [postgres, smtp] = await Promise.all([externalPostgres(), startSmtpServer()]);
  ports = [await freePort(), await freePort()];
  programs = [await start(0), await start(1)];
  db = connect(postgres.url, { timeZone: 'Asia/Shanghai', max: 4, patient: true });
  for (let n = 0; n < PLAYERS; n++) players.push(await buildUser(db, { balance: '100000' }));
  game = await buildDrawingGame(db, 300 + CRASHES * 60);
  const [admin] = await signIn();
  // Tight enough that some are refused by each.
  const limits = { maxUserStake: '6', maxNumberPayout: '150', maxLoss: '4', payoutCapUser: '5' };
  given((await given(admin).call(addBetLimit, { gameId: game.gameId, ...limits })).envelope.data);
  const mail = { host: '127.0.0.1', port: smtp.port, loginTemplate: '主题：验证码\n{{code}}' };
  const { data: id } = (await given(admin).call(addMailConfig, mail)).envelope;
  await given(admin).call(activateMailConfig, { id: given(id) });
}, 300_000);
afterAll(async () => {
  await db?.destroy();
  for (const program of programs ?? []) await program.end('SIGTERM');
  await smtp?.close();
  await postgres?.remove();
});

/** Kills PostgreSQL, or one of the servers, and lets it start again. */
async function crash(turn: number): Promise<string> {
  if (turn % 2 === 0) {
    postgres.kill();
    await sleep(100);
    await postgres.start();
    return 'PostgreSQL';
  }
  const place = (turn >> 1) % 2;
  await given(programs[place]).end('SIGKILL');
  programs[place] = await start(place);
  return `server ${place + 1}`;
}

/** How long after the beginning of the load each crash comes. */
const moments = fc.sample(fc.noBias(fc.integer({ min: WORK_MS.least, max: WORK_MS.most })), {
  numRuns: CRASHES,
  seed: randomSeed,
});

const drawn = async () => {
  const draws = given(await drawsOf(db, game, 2));
  return { ...draws, opened: draws.due - draws.opened, drawn: draws.due - draws.drawn, due: 0 };
};
const whole = { due: 0, opened: 0, drawn: 0, twice: 0, unsettled: 0, settledTwice: 0 };

test(`kill -9 of PostgreSQL and of two servers in turn, ${CRASHES} times, under bets, orders, entries, credits and debits: each that was answered has one effect, and nothing else has any`, async () => {
  const refused = new Map<string, number>();
  let again = 0;
  for (const [turn, moment] of moments.entries()) {
    const operators = await signIn();
    const sites = programs.map(({ origin }) => testClient(origin, KEY));
    const load = startLoad({ game, players, operators, sites, mails: true });
    await sleep(moment);
    const what = await crash(turn);
    await sleep(500);
    await load.end();
    expect(load.strange).toEqual([]);
    done.push(...load.done);
    again += load.done.filter(({ times }) => times > 1).length;
    for (const why of load.refused.values()) {
      const kind = why.replace(/\d+(\.\d+)?/g, 'n');
      refused.set(kind, (refused.get(kind) ?? 0) + 1);
    }
    await sendAgain(load.done.filter((_, place) => place % 5 === 0));
    await expectEffects(db, { players, game }, done);
    console.log(`${what} killed after ${moment} ms: ${load.done.length} acknowledged`);
  }
  await expect.poll(drawn, { timeout: 60_000, interval: 500 }).toEqual(whole);
  await expectEffects(db, { players, game }, done);
  const kinds = Map.groupBy(done, ({ kind }) => kind);
  console.log(
    `${done.length} acknowledged, ${again} of them sent again; refused:`,
    Object.fromEntries(refused),
    'of each:',
    Object.fromEntries([...kinds].map(([kind, all]) => [kind, all.length])),
  );
  expect(again).toBeGreaterThan(CRASHES);
}, 1_800_000);

test('each mail that was taken on went out, once but where a crash came between', async () => {
  const mails = done.filter(({ kind }) => kind === 'mail');
  const states = async () => {
    const { rows } = await sql<{ status: string; n: number }>`
      select status, count(*) as n from mail_outbox group by 1`.execute(db);
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  };
  // One that was being sent is tried again after a minute.
  await expect.poll(states, { timeout: 180_000, interval: 1_000 }).toEqual({ SENT: mails.length });
  const got = smtp.received.flatMap(({ to }) => to);
  expect(new Set(got)).toEqual(new Set(mails.map(({ key }) => mailAddress(key))));
  console.log(`${mails.length} mails, ${got.length - mails.length} of them twice`);
  // Each of the two servers may be sending some.
  expect(got.length - mails.length).toBeLessThanOrEqual(2 * MAILS_AT_ONCE * CRASHES);
}, 240_000);
