import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeBet } from '#contract/platform-bets.ts';
import { listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { generatePlans } from '#server/features/draw-plans/generate.ts';
import { buildBetting, slipOn } from '#server/testing/build-betting.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { given } from '#server/testing/given.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';

// Real processes whose clock is another: whatever is due is due by the database's.

const ZONE = 'Asia/Shanghai';
const KEY = 'platform-key-of-the-clocks-0123456789';
const DRAW_SECONDS = 15;
const LEAD_SECONDS = 12;
const isThere = spawnSync('faketime', ['--version']).status === 0;
if (!isThere) console.log('clocks: left out, since faketime is not installed (apt-get install faketime)');

let dataDir: string;
let postgres: EmbeddedPostgres;
let db: Db;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'back-office-clocks-'));
  // When a draw could be seen is when it was committed.
  await (await startEmbeddedPostgres({ dataDir })).stop();
  appendFileSync(join(dataDir, 'postgres', 'postgresql.auto.conf'), 'track_commit_timestamp = on\n');
  postgres = await startEmbeddedPostgres({ dataDir });
  db = connect(postgres.url, { timeZone: ZONE, max: 2 });
  await (await startProgram({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl })).end(
    'SIGTERM',
  );
});
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const environment = () => ({
  DATABASE_URL: postgres.url,
  DATABASE_OWNER_URL: postgres.ownerUrl,
  PLATFORM_API_KEY: KEY,
});
const startServer = () => startProgram(environment());
const ofFaketime = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC'];

/** A server whose clock is off. By what faketime would set, not by faketime, which a signal ends without the server it started. */
function startOff(off: string): Promise<Program> {
  const { stdout } = spawnSync('faketime', ['-m', '--exclude-monotonic', '-f', off, 'env'], {
    encoding: 'utf8',
  });
  const set = stdout.split('\n').map((line): [string, string] => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)];
  });
  const own = set.filter(([name]) => ofFaketime.includes(name));
  return startProgram({ ...environment(), ...Object.fromEntries(own) });
}

/** A game of one draw a second: for a few seconds soon, and for as long around an hour from now. */
async function drawingGame(): Promise<{ gameId: number; end: number }> {
  const now = new Date();
  const gameId = await buildGame(db, { openRate: 1, status: false });
  const options = '{"count":5,"pool":["0","1","2","3","4","5","6","7","8","9"],"repeat":true}';
  await sql`insert into spider ("gameId", name, "spiderServiceName", options)
    values (${gameId}, '本地', 'LocalDrawSpider', ${options})`.execute(db);
  const soon = Math.floor(now.getTime() / 1000) + LEAD_SECONDS;
  for (const from of [soon, soon + 3_570])
    await db
      .transaction()
      .execute((tx) => generatePlans(tx, { gameId, window: { from, to: from + DRAW_SECONDS }, now }));
  return { gameId, end: soon + DRAW_SECONDS };
}

async function outcomeOf(gameId: number, end: number) {
  const { rows } = await sql<Record<string, number>>`
    with record as (
      select phase, pg_xact_commit_timestamp(xmin) as at from draw_record where "gameId" = ${gameId})
    select count(*) filter (where p."endTime" <= to_timestamp(${end})) as due, count(r.phase) as drawn,
      count(*) filter (where r.at < p."endTime") as early,
      count(*) filter (where p.status <> 'WAITTING' and p."endTime" > clock_timestamp()) as "openedEarly",
      count(*) filter (where p."endTime" <= to_timestamp(${end}) and c."createTime" > p."startTime") as "promisedLate",
      coalesce(max(extract(epoch from r.at - p."endTime")), 0)::float8 as "slowestSeconds"
    from draw_plan p left join record r on r.phase = p.phase
      left join draw_commitment c on c."gameId" = p."gameId" and c.phase = p.phase
    where p."gameId" = ${gameId}`.execute(db);
  return rows[0] ?? {};
}

/** Signs in there and reads with that token at both; tells what each says of its readiness. */
async function useBoth(there: Program, here: Program) {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  const { envelope } = await testClient(there.origin).call(login, { username, password });
  const token = envelope.data?.access_token;
  for (const { origin } of [there, here, there])
    expect((await testClient(origin, token).call(listRoles, {})).envelope.success).toBe(true);
  return Promise.all([there, here].map(async ({ origin }) => (await fetch(`${origin}/readyz`)).json()));
}

/** Bets at a server until it says that the phase is closed; tells by the database's clock when that was, and how long before the closing it took the last. */
async function betUntilClosed({ origin }: Program) {
  const betting = await buildBetting(db, { to: 10, stopBetSecond: 2 });
  const lines = [{ playWayId: betting.bigSmall, selection: '大', unitStake: '1' }];
  for (let isOpen = true; isOpen; await sleep(50)) {
    const { envelope } = await testClient(origin, KEY).call(placeBet, slipOn(betting, { lines }));
    isOpen = envelope.success;
    if (!isOpen) expect(envelope.msg).toBe(`期号 ${betting.phase} 已封盘`);
  }
  const { rows } = await sql<{ secondsAfter: number; secondsLeft: number }>`
    select extract(epoch from clock_timestamp() - closes)::float8 as "secondsAfter",
      extract(epoch from closes - max(s."createTime"))::float8 as "secondsLeft"
    from slip s, (select "endTime" - interval '2 seconds' as closes from draw_plan where id = ${betting.planId}) as p
    where s."planId" = ${betting.planId} group by closes`.execute(db);
  const { secondsAfter, secondsLeft } = given(rows[0]);
  console.log(
    `bets: the last ${secondsLeft.toFixed(2)} s before the closing, refused ${secondsAfter.toFixed(2)} s after it`,
  );
  expect(secondsLeft).toBeGreaterThan(0);
  expect(secondsLeft).toBeLessThan(2);
  expect(secondsAfter).toBeGreaterThan(0);
}

describe.skipIf(!isThere)('a second server whose clock is an hour off', () => {
  it.each(['+3600s', '-3600s'])(
    '(%s) publishes nothing early, closes when it is time, and nothing is late or left out',
    async (off) => {
      const [right, wrong] = await Promise.all([startServer(), startOff(off)]);
      const { gameId, end } = await drawingGame();
      const [said, other] = await useBoth(wrong, right);
      expect(said).toMatchObject({
        status: 'ready',
        timedWork: 'stopped',
        reason: expect.stringContaining('3600.'),
      });
      expect(other).toEqual({ status: 'ready' });
      await Promise.all([right, wrong].map(betUntilClosed));
      await expect
        .poll(async () => (await outcomeOf(gameId, end)).drawn, { timeout: 60_000 })
        .toBe(DRAW_SECONDS);
      const outcome = await outcomeOf(gameId, end);
      console.log('clocks:', { off, ...outcome });
      await Promise.all([right.end('SIGTERM'), wrong.end('SIGTERM')]);
      expect(outcome).toMatchObject({
        due: DRAW_SECONDS,
        drawn: DRAW_SECONDS,
        early: 0,
        openedEarly: 0,
        promisedLate: 0,
      });
      expect(outcome.slowestSeconds).toBeLessThan(2);
    },
  );
});

describe.skipIf(!isThere)('a single server whose clock is a little off', () => {
  it.each(['+4s', '-4s'])('(%s) draws and closes by the database’s clock', async (off) => {
    const wrong = await startOff(off);
    const { gameId, end } = await drawingGame();
    await betUntilClosed(wrong);
    await expect
      .poll(async () => (await outcomeOf(gameId, end)).drawn, { timeout: 60_000 })
      .toBe(DRAW_SECONDS);
    const outcome = await outcomeOf(gameId, end);
    console.log('clocks:', { off, ...outcome });
    await wrong.end('SIGTERM');
    expect(outcome).toMatchObject({ due: DRAW_SECONDS, early: 0, openedEarly: 0, promisedLate: 0 });
    expect(outcome.slowestSeconds).toBeLessThan(2);
  });
});
