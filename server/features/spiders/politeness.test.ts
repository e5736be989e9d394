import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildGame } from '#server/testing/build-game.ts';
import { given } from '#server/testing/given.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { takeDueSources, untilNextSource } from './due-sources.ts';
import { reserveTurn } from './host-turns.ts';
import { hurrySpiders, secondsToNextRun } from './spider-run.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await sql`delete from spider`.execute(database.db);
  await sql`delete from outbound_host`.execute(database.db);
});

interface Given {
  gameId?: number;
  url?: string;
  pauseMs?: number;
  headers?: string | null;
  /** Seconds from the moment the test calls now. */
  due?: number;
  failures?: number;
}

const now = new Date();
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
let names = 0;
async function spider({
  gameId,
  url = 'http://feed.example/',
  due = 0,
  ...rest
}: Given = {}): Promise<number> {
  const { pauseMs = 3_000, headers = null, failures = 0 } = rest;
  const { rows } = await sql<{ id: number }>`
    insert into spider ("gameId", name, url, "spiderServiceName", headers, "pauseMs", "nextRunTime", "consecutiveFailures", answering)
    values (${gameId ?? (await buildGame(database.db))}, ${`源 ${names++}`}, ${url}, 'OpenCodeSpider', ${headers}, ${pauseMs},
      ${at(due)}::timestamptz, ${failures}, ${failures === 0}) returning id`.execute(database.db);
  return given(rows[0]?.id);
}
async function waiting(openRate = 60, seconds = 0): Promise<number> {
  const gameId = await buildGame(database.db, { openRate });
  await plan(gameId, '1000', seconds);
  return gameId;
}
async function plan(gameId: number, phase: string, seconds: number, status = 'OPENING'): Promise<void> {
  await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
    values (${gameId}, ${phase}, ${at(seconds - 60)}::timestamptz, ${at(seconds)}::timestamptz, ${status})`.execute(
    database.db,
  );
}
const taken = async (seconds = 0, busyHosts: string[] = []) => {
  const sources = await takeDueSources(database.db, at(seconds), { room: 50, busyHosts });
  return sources.map(({ address, spiders }) => ({ address, ids: spiders.map(({ id }) => id) }));
};
const freeHosts = () => sql`update outbound_host set "nextTime" = clock_timestamp()`.execute(database.db);

describe('one request', () => {
  it('is for all spiders that ask the same, also those that would ask within half a minute', async () => {
    const url = 'http://feed.example/all?a=1';
    const [first, second, soon] = [
      await spider({ url }),
      await spider({ url }),
      await spider({ url, due: 20 }),
    ];
    const other = await spider({ url: 'http://feed.example/other' });
    const withHeader = await spider({ url, headers: 'X-Key: 1' });
    const late = await spider({ url, due: 100 });
    const failing = await spider({ url, due: 20, failures: 2 });
    expect(await taken()).toEqual([{ address: url, ids: [first, second, soon] }]);
    expect(await taken()).toEqual([]);
    await freeHosts();
    expect(await taken()).toEqual([{ address: 'http://feed.example/other', ids: [other] }]);
    await freeHosts();
    expect(await taken()).toEqual([{ address: url, ids: [withHeader] }]);
    await freeHosts();
    expect(await taken(100)).toMatchObject([{ address: url }]);
    const { rows } = await sql<{ id: number }>`
      select id from spider where "nextRunTime" = ${at(130)}::timestamptz`.execute(database.db);
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([late, failing]));
  });

  it('is one over several servers', async () => {
    for (let n = 0; n < 20; n++) await spider({ url: `http://feed.example/${n % 4}` });
    const servers = await Promise.all(Array.from({ length: 8 }, () => taken()));
    expect(servers.flat()).toHaveLength(1);
    expect(servers.flat()[0]?.ids).toHaveLength(5);
  });

  it('names the headers, in whatever order and case they are written', async () => {
    const ids = [
      await spider({ headers: 'X-B: 2\r\nx-a:1\n' }),
      await spider({ headers: 'X-A: 1\nX-B:  2' }),
    ];
    expect(await taken()).toEqual([{ address: 'http://feed.example/', ids }]);
  });
});

describe('turns at a host', () => {
  it('are as far apart as the politest of its spiders says, whatever the path and the case', async () => {
    await spider({ pauseMs: 300 });
    await spider({ url: 'http://FEED.example/x', pauseMs: 20_000, due: 50 });
    await spider({ url: 'http://other.example/', pauseMs: 200 });
    expect(await taken()).toHaveLength(2);
    const { rows } = await sql<{ host: string; left: number }>`
      select host, extract(epoch from "nextTime" - clock_timestamp())::float8 as left from outbound_host order by host`.execute(
      database.db,
    );
    expect(rows.map(({ host }) => host)).toEqual(['feed.example', 'other.example']);
    expect(rows[0]?.left).toBeGreaterThan(15);
    expect(rows[0]?.left).toBeLessThanOrEqual(20);
    expect(rows[1]?.left).toBeLessThanOrEqual(0.2);
  });

  it('go round: nobody waits for a second turn of another one', async () => {
    const ids: number[] = [];
    while (ids.length < 20)
      ids.push(await spider({ url: `http://feed.example/${ids.length}`, due: -ids.length / 100 }));
    const served: number[] = [];
    for (let turn = 0; turn < 40; turn++) {
      const [source] = await taken(turn);
      served.push(...(source?.ids ?? []));
      // Asked again after five seconds, as while a result is due.
      await sql`update spider set "nextRunTime" = ${at(turn + 5)}::timestamptz where id = any(${source?.ids ?? []})`.execute(
        database.db,
      );
      await freeHosts();
    }
    expect(served.slice(0, 20).toSorted((a, b) => a - b)).toEqual(ids);
    expect(served.slice(20).toSorted((a, b) => a - b)).toEqual(ids);
  });

  it('are given to games that wait for a result first, those due earliest before others, and to lookers in the end', async () => {
    const looker = await spider({ url: 'http://feed.example/looker', due: -20 });
    const later = await spider({ gameId: await waiting(60, 0), url: 'http://feed.example/later' });
    const sooner = await spider({ gameId: await waiting(60, -30), url: 'http://feed.example/sooner' });
    const order: (number | undefined)[] = [];
    for (let turn = 0; turn < 3; turn++) {
      order.push((await taken())[0]?.ids[0]);
      await freeHosts();
    }
    expect(order).toEqual([sooner, later, looker]);
    // A looker that has waited for half a minute goes first all the same.
    await sql`delete from spider`.execute(database.db);
    const patient = await spider({ url: 'http://feed.example/looker', due: -31 });
    await spider({ gameId: await waiting(), url: 'http://feed.example/due' });
    expect(await taken()).toMatchObject([{ ids: [patient] }]);
  });

  it('are left to others where a host is slow, and come as soon as they can', async () => {
    await spider();
    await spider({ url: 'http://other.example/', due: 0.4 });
    expect(await taken(0, ['feed.example'])).toEqual([]);
    expect(await untilNextSource(database.db, now, ['feed.example'])).toBeCloseTo(400, 0);
    expect(await untilNextSource(database.db, now, [])).toBeLessThanOrEqual(0);
    await taken();
    // Not before the host may be asked again, nor before the spider is due.
    expect(await untilNextSource(database.db, at(60), ['other.example'])).toBeGreaterThan(2_000);
  });

  it('may be reserved by whoever is ready to wait, each its own', async () => {
    const reserve = () => reserveTurn(database.db, { host: 'feed.example', patienceMs: 3_500 });
    const turns = await Promise.all([reserve(), reserve(), reserve()]);
    const seconds = turns.filter(({ taken }) => taken).map((turn) => turn.seconds);
    expect(seconds.toSorted()).toEqual([0, expect.closeTo(3, 0)]);
    expect(turns.find(({ taken }) => !taken)?.seconds).toBeGreaterThan(5);
  });
});

describe('an address', () => {
  const url = 'http://feed.example/{date}/{date:yyyyMMdd}?issue={phase}';

  it('is filled with the phase that waits and the day of its draw', async () => {
    const gameId = await buildGame(database.db);
    await spider({ gameId, url });
    // Midnight ends the day before: platform time is eight hours ahead.
    await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
      values (${gameId}, '20260120/3', '2026-01-20 23:00:00', '2026-01-21 00:00:00', 'OPENING')`.execute(
      database.db,
    );
    const [source] = await takeDueSources(database.db, new Date('2026-01-21T00:00:05+08:00'), { room: 1 });
    // Not due yet by its own clock: it was due at the moment the test began.
    expect(source).toBeUndefined();
    await sql`update spider set "nextRunTime" = '2026-01-21 00:00:00'`.execute(database.db);
    expect(
      await takeDueSources(database.db, new Date('2026-01-21T00:00:05+08:00'), { room: 1 }),
    ).toMatchObject([{ address: 'http://feed.example/2026-01-20/20260120?issue=20260120%2F3' }]);
  });

  it('names several missing phases in turn, then the last one drawn', async () => {
    const gameId = await waiting(60, -120);
    await plan(gameId, '1001', -60);
    await plan(gameId, '1002', 60, 'WAITTING');
    await spider({ gameId, url: 'http://feed.example/{phase}' });
    const asked: unknown[] = [];
    for (let turn = 0; turn < 4; turn++) {
      asked.push((await taken(turn * 31))[0]?.address);
      await freeHosts();
    }
    expect(asked).toEqual(['1000', '1001', '1000', '1001'].map((phase) => `http://feed.example/${phase}`));
    await sql`update draw_plan set status = 'OPENED' where status = 'OPENING'`.execute(database.db);
    expect(await taken(124)).toMatchObject([{ address: 'http://feed.example/1002' }]);
  });

  it('is none where it wants a phase and the game has no plan', async () => {
    await spider({ url: 'http://feed.example/{phase}' });
    expect(await taken()).toMatchObject([{ address: null }]);
  });
});

describe('the draw minute', () => {
  it('sends no herd: addresses are spread over three seconds, and who asks the same asks together', async () => {
    const { db } = database;
    const games: number[] = [];
    while (games.length < 80) games.push(await buildGame(db));
    await sql`
      insert into spider ("gameId", name, url, "spiderServiceName", "nextRunTime", "consecutiveFailures", answering)
      select g, '源 ' || n, 'http://feed.example/' || case n when 1 then 'all' else g || '/' || n end, 'OpenCodeSpider',
        now() + interval '5 minutes', case n when 3 then 2 else 0 end, n <> 3
      from unnest(${games}::bigint[]) as g, generate_series(1, 3) as n`.execute(db);
    await hurrySpiders(db, games, now, Math.random);
    const { rows } = await sql<{ after: number; failures: number; url: string }>`
      select extract(epoch from "nextRunTime" - ${now}::timestamptz)::float8 as after, "consecutiveFailures" as failures, url
      from spider`.execute(db);
    const hurried = rows.filter(({ failures }) => failures === 0);
    const spread = hurried.filter(({ url }) => !url.endsWith('all')).map(({ after }) => after);
    expect(Math.min(...spread)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...spread)).toBeLessThanOrEqual(3);
    const perQuarter = Map.groupBy(spread, (after) => Math.floor(after * 4));
    for (const together of perQuarter.values()) expect(together.length).toBeLessThan(spread.length / 3);
    const same = hurried.filter(({ url }) => url.endsWith('all')).map(({ after }) => after);
    expect(same).toHaveLength(80);
    expect(new Set(same).size).toBe(1);
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
