import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionsOver } from '#server/db/connections.ts';
import { startDatabaseClock } from '#server/db/database-clock.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { runPart } from './parts.ts';
import { startJobs } from './start.ts';

let server: TestServer;
const told: { details: object; message: string }[] = [];
const tell = (details: object, message: string) => {
  told.push({ details, message });
};
const log = { info: () => {}, warn: tell, error: tell };
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${server.origin}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1) ?? 0,
  );
};

describe('background work', () => {
  it('counts what each part does and tells its last failure, a repeated one once', async () => {
    const failing = () => runPart(log, 'test-part', () => Promise.reject(new TypeError('it broke')));
    expect(await failing()).toBeInstanceOf(TypeError);
    await failing();
    expect(await runPart(log, 'test-part', async () => {})).toBeUndefined();
    expect(await metric('background_runs_total{part="test-part"}')).toBe(3);
    expect(await metric('background_failures_total{part="test-part"}')).toBe(2);
    const at = await metric('background_last_failure_timestamp_seconds{part="test-part",error="TypeError"}');
    expect(Math.abs(Date.now() / 1000 - at)).toBeLessThan(10);
    expect(told.filter(({ details }) => 'part' in details && details.part === 'test-part')).toEqual([
      { details: { part: 'test-part', error: 'it broke' }, message: 'background work failed' },
    ]);
  });

  it('goes on in all its other parts while one cannot even start or always fails', async () => {
    // The queue cannot start, late marks and the hurrying of spiders fail: draws come all the same, and so do collectors.
    await sql.raw('alter table pgboss.schedule rename to schedule_away').execute(server.db);
    await sql
      .raw(`create function refuse_late() returns trigger language plpgsql as $$ begin raise exception 'no marks'; end $$;
        create trigger refuse_late before update of "lateTime" on draw_plan for each row execute function refuse_late();`)
      .execute(server.db);
    const gameId = await buildGame(server.db, { openRate: 60, status: false });
    await sql`insert into spider ("gameId", name, "spiderServiceName", options, url) values
      (${gameId}, '本地', 'LocalDrawSpider', '{"count":1,"pool":["1","2"]}', null),
      (${gameId}, '不通', 'OpenCodeSpider', null, 'http://127.0.0.1:9/x')`.execute(server.db);
    await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status) values
      (${gameId}, '1', now() - interval '1 hour', now() - interval '59 minutes', 'WAITTING'),
      (${gameId}, '2', now() - interval '1 minute', now() + interval '1 second', 'WAITTING')`.execute(
      server.db,
    );
    const late = await buildGame(server.db, { openRate: 60, status: false });
    await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
      values (${late}, '1', now() - interval '1 hour', now() - interval '59 minutes', 'OPENING')`.execute(
      server.db,
    );
    const clock = await startDatabaseClock(server.db);
    const connections = connectionsOver(server.db);
    const jobs = startJobs({ connections, config: server.config, log, clock });
    const drawn = async () =>
      (
        await sql<{ n: number }>`select count(*) as n from draw_record where "gameId" = ${gameId}`.execute(
          server.db,
        )
      ).rows[0]?.n;
    await expect.poll(drawn, { timeout: 10_000 }).toBe(2);
    const tried = async () =>
      (
        await sql<{ tried: boolean }>`
        select "lastRunTime" is not null as tried from spider where "gameId" = ${gameId} and name = '不通'`.execute(
          server.db,
        )
      ).rows[0]?.tried;
    await expect.poll(tried, { timeout: 10_000 }).toBe(true);
    const failed = (part: string) => metric(`background_failures_total{part="${part}"}`);
    expect(await failed('late-plans')).toBeGreaterThan(0);
    expect(await failed('queue-start')).toBeGreaterThan(0);
    // What was in its way is gone: the queue starts by itself.
    await sql.raw('alter table pgboss.schedule_away rename to schedule').execute(server.db);
    const schedules = async () =>
      (await sql`select name from pgboss.schedule`.execute(server.db)).rows.length;
    await expect.poll(schedules, { timeout: 10_000 }).toBeGreaterThan(0);
    await jobs.stop();
    clock.stop();
  });
});
