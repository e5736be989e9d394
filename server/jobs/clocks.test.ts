import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { generateDrawPlans, pageDrawPlans } from '#contract/draw-plans.ts';
import { listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { connectionsOver } from '#server/db/connections.ts';
import { startDatabaseClock } from '#server/db/database-clock.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { startJobs } from './start.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const HOUR = 3_600_000;
const log = { info: () => {}, warn: () => {}, error: () => {} };
const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

/** Background work of a server whose own clock is off by so much; `set` sets it. */
async function startWorker(off: number): Promise<{ set: (off: number) => void }> {
  let by = off;
  const clock = await startDatabaseClock(server.db, { ownClock: () => Date.now() + by });
  const jobs = startJobs({
    connections: connectionsOver(server.db, server.database.url),
    config: server.config,
    log,
    clock,
  });
  running.push(async () => {
    await jobs.stop();
    clock.stop();
  });
  return {
    set: (next) => {
      by = next;
    },
  };
}

/** A game that draws by itself every second, twice from now on and many times within the hours around it. */
async function drawingGame(): Promise<number> {
  const gameId = await buildGame(server.db, { openRate: 1, status: false });
  await sql`insert into spider ("gameId", name, "spiderServiceName", options)
    values (${gameId}, '本地', 'LocalDrawSpider', '{"count":1,"pool":["1","2"]}')`.execute(server.db);
  await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime")
    select ${gameId}, n::text, t, t + interval '1 second' from (
      select n, date_trunc('second', now()) + n * interval '1 second' as t
      from unnest(array[0, 1, 2, 60, 600, 3000, 3599, 3600, 3700]) as n) as slots`.execute(server.db);
  return gameId;
}

/** Draws so far, how many of them were early, and how long ago the last of the due ones was due. */
async function drawsOf(gameId: number) {
  const { rows } = await sql<{ drawn: number; early: number; opened: number; secondsAgo: number }>`
    select count(r.phase) as drawn, count(*) filter (where r.phase is not null and p."endTime" > clock_timestamp()) as early,
      count(*) filter (where p.status <> 'WAITTING' and p."endTime" > clock_timestamp()) as opened,
      extract(epoch from clock_timestamp() - max(p."endTime") filter (where p.phase = '2'))::float8 as "secondsAgo"
    from draw_plan p left join draw_record r on r."gameId" = p."gameId" and r.phase = p.phase
    where p."gameId" = ${gameId}`.execute(server.db);
  return rows[0];
}

/** Waits for the three draws that come soon: none before its time, none long after it. */
async function expectThreeOnTime(gameId: number): Promise<void> {
  let early = 0;
  const look = async () => {
    const draws = await drawsOf(gameId);
    early += (draws?.early ?? 0) + (draws?.opened ?? 0);
    return (draws?.drawn ?? 0) >= 3;
  };
  await expect.poll(look, { timeout: 30_000 }).toBe(true);
  expect(early).toBe(0);
  expect(await drawsOf(gameId)).toMatchObject({ drawn: 3, early: 0, opened: 0 });
  expect((await drawsOf(gameId))?.secondsAgo).toBeLessThan(3);
}

/** Whether the draw time of its first three plans has come, by the database. */
const threeDue = async (gameId: number) =>
  (
    await sql<{ due: boolean }>`
      select "endTime" <= clock_timestamp() as due from draw_plan where "gameId" = ${gameId} and phase = '2'`.execute(
      server.db,
    )
  ).rows[0]?.due;

describe('two servers over one database', () => {
  it.each([
    ['fast', HOUR],
    ['slow', -HOUR],
    // Not off enough to rest: it works, and by the database's clock.
    ['4 s fast', 4_000],
    ['4 s slow', -4_000],
  ])('draw everything once and on time with one of them %s', async (_, off) => {
    const gameId = await drawingGame();
    await Promise.all([startWorker(off), startWorker(0)]);
    await expectThreeOnTime(gameId);
  });

  it.each([
    ['fast', 4_000],
    ['slow', -4_000],
  ])('of which the only one left is 4 s %s draw by the database’s clock', async (_, off) => {
    const gameId = await drawingGame();
    await startWorker(off);
    await expectThreeOnTime(gameId);
  });

  it('rest with clocks an hour off, mails and all, and go on by themselves once these are set', async () => {
    const gameId = await drawingGame();
    const workers = await Promise.all([startWorker(HOUR), startWorker(-HOUR)]);
    await sql`insert into mail_outbox (template, "to") values ('LOGIN', 'a@example.com')`.execute(server.db);
    const tried = async () =>
      (await sql`select from mail_outbox where attempts > 0`.execute(server.db)).rows.length;
    await expect.poll(() => threeDue(gameId), { timeout: 30_000 }).toBe(true);
    expect(await drawsOf(gameId)).toMatchObject({ drawn: 0, opened: 0 });
    expect(await tried()).toBe(0);
    for (const { set } of workers) set(0);
    await expect.poll(async () => (await drawsOf(gameId))?.drawn, { timeout: 30_000 }).toBe(3);
    await expect.poll(tried, { timeout: 30_000 }).toBe(1);
    for (const { set } of workers) set(HOUR);
    const later = await drawingGame();
    await expect.poll(() => threeDue(later), { timeout: 30_000 }).toBe(true);
    expect(await drawsOf(later)).toMatchObject({ drawn: 0, opened: 0 });
  });
});

describe('a server whose clock is an hour off', () => {
  it.each([
    ['fast', HOUR],
    ['slow', -HOUR],
  ])('(%s) answers calls by the database’s clock, and says so', async (_, off) => {
    const clock = await startDatabaseClock(server.db, { ownClock: () => Date.now() + off });
    const told: string[] = [];
    const other = await startTestServer({ logLevel: 'warn' }, server.database, {
      clock,
      logTo: { write: (line) => told.push(line) },
    });
    running.push(async () => {
      await other.close();
      clock.stop();
    });
    const { username, password } = { username: 'admin', password: server.config.adminPassword ?? '' };
    const { envelope } = await other.anonymous.call(login, { username, password });
    const client = other.withToken(envelope.data?.access_token ?? '');
    for (let call = 0; call < 2; call++)
      expect((await client.call(listRoles, {})).envelope.success).toBe(true);

    // Plans are made for slots that are still to be drawn, whatever this server's own clock says.
    const gameId = await buildGame(server.db, { openRate: 60, status: false });
    const { rows } = await sql<{ from: string; to: string; now: string }>`
      select now() - interval '10 minutes' as "from", now() + interval '10 minutes' as "to", now() as now`.execute(
      server.db,
    );
    const { from = '', to = '', now = '' } = rows[0] ?? {};
    const wall = (time: string) => time.slice(0, 19);
    await client.call(generateDrawPlans, { gameId, beginDate: wall(from), endDate: wall(to) });
    const plans = (await client.call(pageDrawPlans, { gameId, pageSize: 100 })).envelope.data?.data ?? [];
    expect(plans.length).toBeGreaterThanOrEqual(10);
    expect(plans.length).toBeLessThanOrEqual(11);
    expect(plans.every(({ endTime }) => endTime >= wall(now))).toBe(true);

    const ready = await fetch(`${other.origin}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      {
        status: 'ready',
        timedWork: 'stopped',
        reason: expect.stringMatching(/本机时钟比数据库[快慢] (?:3599|3600)\.\d 秒/),
      },
    ]);
    const metrics = await (await fetch(`${other.origin}/metrics`)).text();
    const ahead = Number(/^clock_ahead_of_database_seconds (.+)$/m.exec(metrics)?.[1]);
    expect(Math.abs(ahead - off / 1_000)).toBeLessThan(2);
    expect(told.join('')).toContain('no timed work until it is set');
  });

  it('of nobody says nothing: the clock of a server that is right', async () => {
    expect(await (await fetch(`${server.origin}/readyz`)).json()).toEqual({ status: 'ready' });
  });
});
