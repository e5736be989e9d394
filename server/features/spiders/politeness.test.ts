import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildGame } from '#server/testing/build-game.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { takeTurn } from './polite-fetch.ts';
import { hurrySpiders, secondsToNextRun } from './spider-run.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

describe('turns at a host', () => {
  const turn = (url: string) => takeTurn(database.db, url);

  it('are three seconds apart for all who ask, whatever the path', async () => {
    const asked = await Promise.all(Array.from({ length: 20 }, (_, n) => turn(`http://feed.example/${n}`)));
    expect(asked.filter((wait) => wait === 0)).toHaveLength(1);
    const waits = asked.filter((wait) => wait > 0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(3);
    const { rows } = await sql<{ pause: number }>`
      select extract(epoch from "nextTime" - clock_timestamp())::float8 as pause from outbound_host`.execute(
      database.db,
    );
    expect(rows[0]?.pause).toBeGreaterThan(1);
    expect(await turn('http://FEED.example/again')).toBeGreaterThan(0);
    expect(await turn('http://other.example/')).toBe(0);
    await sql`update outbound_host set "nextTime" = "nextTime" - interval '3 seconds'`.execute(database.db);
    expect(await turn('http://feed.example/')).toBe(0);
  });
});

describe('the draw minute', () => {
  it('sends no herd: the spiders of all games that draw are spread over three seconds', async () => {
    const { db } = database;
    const games: number[] = [];
    while (games.length < 80) games.push(await buildGame(db));
    await sql`
      insert into spider ("gameId", name, url, "spiderServiceName", "nextRunTime", "consecutiveFailures")
      select g, '源 ' || n, 'http://feed.example/', 'OpenCodeSpider', now() + interval '5 minutes', case n when 3 then 2 else 0 end
      from unnest(${games}::bigint[]) as g, generate_series(1, 3) as n`.execute(db);
    const now = new Date();
    await hurrySpiders(db, games, now, Math.random);
    const { rows } = await sql<{ after: number; failures: number }>`
      select extract(epoch from "nextRunTime" - ${now}::timestamptz)::float8 as after, "consecutiveFailures" as failures
      from spider`.execute(db);
    const hurried = rows.filter(({ failures }) => failures === 0).map(({ after }) => after);
    expect(Math.min(...hurried)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...hurried)).toBeLessThanOrEqual(3);
    const perQuarter = Map.groupBy(hurried, (after) => Math.floor(after * 4));
    for (const together of perQuarter.values()) expect(together.length).toBeLessThan(hurried.length / 4);
    // Those that fail keep the wait they were given.
    for (const { after } of rows.filter(({ failures }) => failures > 0)) expect(after).toBeGreaterThan(200);
  });
});

describe('after a failure', () => {
  it('a spider waits in doubling steps up to ten minutes, spread by chance', () => {
    expect(secondsToNextRun(0, true, () => 0.5)).toBe(5);
    expect(secondsToNextRun(0, false, () => 0.5)).toBe(300);
    expect([1, 2, 3, 20].map((failures) => secondsToNextRun(failures, true, () => 0.5))).toEqual([
      10, 20, 40, 600,
    ]);
    expect(secondsToNextRun(1, true, () => 0)).toBeCloseTo(8);
    expect(secondsToNextRun(1, true, () => 1)).toBeCloseTo(12);
  });
});
