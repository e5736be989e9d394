import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getOverview } from '#contract/overview.ts';
import { buildApp } from '#server/app.ts';
import { openConnections } from '#server/db/connections.ts';
import { startDatabaseClock } from '#server/db/database-clock.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { allParts } from './all-parts.ts';
import type { Part } from './part.ts';
import { type Jobs, startJobs } from './start.ts';

let server: TestServer;
const told: { details: object; message: string }[] = [];
const tell = (details: object, message: string) => {
  told.push({ details, message });
};
const log = { info: () => {}, warn: tell, error: tell };
const ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});
afterAll(() => server.close());

const names = allParts().map(({ name }) => name);

/** What a stop waits for here; how long it waits in earnest is shown with a single part. */
const STOP_MS = 300;

/** Background work over pools like those of a real server. */
async function start(parts: readonly Part[]): Promise<Jobs> {
  const { timeZone } = server.config;
  const connections = openConnections(server.database.url, { timeZone });
  const clock = await startDatabaseClock(connections.health);
  const jobs = startJobs({ connections, config: server.config, log, clock, stopMs: STOP_MS }, parts);
  ends.push(async () => {
    await jobs.stop();
    clock.stop();
    await connections.destroy();
  });
  return jobs;
}

async function metric(name: string): Promise<number | undefined> {
  const text = await (await fetch(`${server.origin}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}
const ofPart = (what: string, part: string) => metric(`background_${what}{part="${part}"}`);

/**
 * Parts that break together: half of them at a time, chosen so that of any two parts each breaks once while the other one does not. So all
 * pairs are tried in a few runs: the families are the members of as many different sets of the same size as there are parts.
 */
function familiesOf(all: readonly string[]): string[][] {
  const setsOf = (count: number, from: number, size: number): number[][] =>
    size === 0
      ? [[]]
      : Array.from({ length: count - from }, (_, step) => from + step).flatMap((first) =>
          setsOf(count, first + 1, size - 1).map((rest) => [first, ...rest]),
        );
  let count = 1;
  while (setsOf(count, 0, Math.floor(count / 2)).length < all.length) count++;
  const memberships = setsOf(count, 0, Math.floor(count / 2));
  return Array.from({ length: count }, (_, family) =>
    all.filter((_name, place) => memberships[place]?.includes(family)),
  );
}
const families = familiesOf(names);

/** The parts at a quick pace, each telling of its turns by name; some of them do something else instead. */
function observed(broken: readonly string[], runInstead: (part: Part) => Part['run']) {
  const turns = new Map(names.map((name) => [name, 0]));
  const parts = allParts().map((part): Part => {
    // Draws as often as this would hold up promises, which give way to them.
    const { nextDue: _, givesWay: __, ...rest } = part;
    const isBroken = broken.includes(part.name);
    const run: Part['run'] = async (services, turn) => {
      if (isBroken) return runInstead(part)(services, turn);
      await part.run(services, turn);
      turns.set(part.name, (turns.get(part.name) ?? 0) + 1);
    };
    const hurried = { ...rest, firstMs: 0, everyMs: 50, run };
    return isBroken ? { ...hurried, patienceMs: 200 } : hurried;
  });
  const others = () => [...turns].filter(([name]) => !broken.includes(name));
  /** Every other part has taken so many turns more. */
  const goOn = async (turnsMore: number) => {
    const before = new Map(turns);
    const least = () => Math.min(...others().map(([name, count]) => count - (before.get(name) ?? 0)));
    await expect.poll(least, { timeout: 20_000, interval: 50 }).toBeGreaterThanOrEqual(turnsMore);
  };
  return { parts, goOn };
}

const troubleOf = (jobs: Jobs, name: string) => jobs.troubles().find(({ part }) => part === name)?.trouble;
const inTrouble = (jobs: Jobs) =>
  jobs
    .troubles()
    .map(({ part, trouble }) => `${part} ${trouble}`)
    .toSorted();

it('of any two parts each breaks once while the other one does not', () => {
  for (const one of names)
    for (const other of names.filter((name) => name !== one))
      expect(families.some((family) => family.includes(one) && !family.includes(other))).toBe(true);
});

describe.each(families.map((family) => ({ family })))('the parts $family', ({ family }) => {
  it('that throw stop no other; they are counted, told of by their names, and tried again', async () => {
    const tries = new Map(family.map((name) => [name, 0]));
    const { parts, goOn } = observed(family, ({ name }) => async () => {
      tries.set(name, (tries.get(name) ?? 0) + 1);
      throw new TypeError(`${name} is broken`);
    });
    const failures = () =>
      Promise.all(family.map(async (name) => (await ofPart('failures_total', name)) ?? 0));
    const before = await failures();
    const jobs = await start(parts);
    await goOn(3);
    await expect.poll(() => Math.min(...tries.values()), { timeout: 30_000 }).toBeGreaterThan(1);
    for (const [place, count] of (await failures()).entries())
      expect(count, family[place]).toBeGreaterThan(before[place] ?? 0);
    for (const name of family) {
      const last = `background_last_failure_timestamp_seconds{part="${name}",error="TypeError"}`;
      expect(Math.abs(Date.now() / 1_000 - ((await metric(last)) ?? 0))).toBeLessThan(30);
      expect(told).toContainEqual({
        details: {
          part: name,
          error: `${name} is broken`,
          stack: expect.stringContaining('all-parts.test.ts'),
        },
        message: 'background work failed',
      });
    }
    expect(inTrouble(jobs)).toEqual(family.map((name) => `${name} failing`).toSorted());
  });

  it('that hang with all their connections stop no other, are seen to, and a stop waits for them only so long', async () => {
    const { parts, goOn } = observed(family, ({ connections = 1 }) => async ({ db }) => {
      const hold = () => db.connection().execute(() => new Promise(() => {}));
      await Promise.all(Array.from({ length: connections }, hold));
    });
    const jobs = await start(parts);
    await goOn(3);
    const overdue = family.map((name) => `${name} overdue`).toSorted();
    await expect.poll(() => inTrouble(jobs), { timeout: 30_000 }).toEqual(overdue);
    for (const name of family) expect(await ofPart('overdue_seconds', name)).toBeGreaterThan(0.1);
    await goOn(1);
    const asked = performance.now();
    await jobs.stop();
    expect(performance.now() - asked).toBeGreaterThan(STOP_MS - 50);
    expect(performance.now() - asked).toBeLessThan(STOP_MS + 1_500);
  });
});

describe('each part', () => {
  it.each(names)('%s is waited for by a stop, and takes no turn after it', async (name) => {
    const begun = Promise.withResolvers<void>();
    let turns = 0;
    let ended = 0;
    const { parts } = observed([name], () => async () => {
      turns++;
      begun.resolve();
      await new Promise((resolve) => setTimeout(resolve, 100));
      ended++;
    });
    const jobs = await start(parts.filter((part) => part.name === name));
    await begun.promise;
    await jobs.stop();
    expect([turns, ended]).toEqual([1, 1]);
  });

  it('is named in /metrics from the start, and by what an alarm on it means in the handbook of operation', async () => {
    await start(allParts().map((part) => ({ ...part, firstMs: 60_000 })));
    const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    for (const { name, what } of allParts()) {
      for (const measure of [
        'runs_total',
        'failures_total',
        'run_seconds_count',
        'lag_seconds_count',
        'overdue_seconds',
      ])
        expect(await ofPart(measure, name), `${measure} of ${name}`).toBeGreaterThanOrEqual(0);
      expect(operations).toMatch(new RegExp(`\\| \`${name}\` +\\| ${what} +\\| [^|]{8,}\\|`));
    }
  });
});

describe('the list of parts', () => {
  it('holds every part that is declared, each under a name of its own', async () => {
    const files = readdirSync(new URL('.', import.meta.url)).filter((file) => /^[a-z-]+\.ts$/.test(file));
    const declared: string[] = [];
    for (const file of files.filter((each) => each !== 'all-parts.ts')) {
      const text = readFileSync(new URL(file, import.meta.url), 'utf8');
      const exports = text.matchAll(/^export (?:const|function) (\w+)(?:\(.*\))?: (?:readonly )?Part\b/gm);
      const module: Record<string, unknown> = await import(`./${file}`);
      for (const [, name = ''] of exports) {
        const value = module[name];
        for (const part of [typeof value === 'function' ? value() : value].flat()) declared.push(part.name);
      }
    }
    expect(declared.length).toBeGreaterThan(5);
    expect(declared.toSorted()).toEqual(names.toSorted());
    expect(new Set(names).size).toBe(names.length);
  });

  it('is all that a new part has to be added to: it runs when its rows say, is measured, told of and waited for', async () => {
    const { owner } = server.database;
    await sql`create table chore (id bigint primary key, due timestamptz not null, server bigint)`.execute(
      owner,
    );
    await sql`grant all on chore to public`.execute(owner);
    // All that whoever adds a part has to write.
    const chores: Part = {
      name: 'chores',
      what: '试做一件事',
      everyMs: 1_000,
      nextDue: async ({ db }) => {
        const next = sql<{ at: number | null }>`
          select (extract(epoch from min(due)) * 1000)::float8 as at from chore where server is null`;
        return (await next.execute(db)).rows[0]?.at ?? undefined;
      },
      run: async ({ db, clock }) => {
        await sql`update chore set server = pg_backend_pid() where id in (
          select id from chore where server is null and due <= ${clock()} for update skip locked)`.execute(
          db,
        );
      },
    };
    const servers = [await start([...allParts(), chores]), await start([...allParts(), chores])];
    await sql`insert into chore select n, now() + n * interval '100 ms' from generate_series(1, 30) n`.execute(
      server.db,
    );
    const left = async () =>
      (await sql<{ n: number }>`select count(*) as n from chore where server is null`.execute(server.db))
        .rows[0]?.n;
    await expect.poll(left, { timeout: 30_000 }).toBe(0);
    const runs = () => ofPart('runs_total', 'chores');
    expect(await runs()).toBeGreaterThan(5);
    // It goes on running while the figures are read.
    for (const figure of ['run_seconds_count', 'lag_seconds_count']) {
      const before = await runs();
      const counted = await ofPart(figure, 'chores');
      expect(counted).toBeGreaterThanOrEqual(before ?? 0);
      expect(counted).toBeLessThanOrEqual((await runs()) ?? 0);
    }
    await sql`drop table chore`.execute(owner);
    await expect.poll(() => troubleOf(servers[0] as Jobs, 'chores'), { timeout: 30_000 }).toBe('failing');
  });
});

describe('a server', () => {
  const count = async (query: ReturnType<typeof sql<{ n: number }>>) =>
    (await query.execute(server.db)).rows[0]?.n;

  it('draws and collects while mails and late marks fail, and sends mails once what was in their way is gone', async () => {
    await sql.raw('alter table mail_outbox rename to mail_outbox_away').execute(server.database.owner);
    await sql
      .raw(`create function refuse_late() returns trigger language plpgsql as $$ begin raise exception 'no marks'; end $$;
        create trigger refuse_late before update of "lateTime" on draw_plan for each row execute function refuse_late();`)
      .execute(server.database.owner);
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
    const jobs = await start(allParts());
    const drawn = sql<{ n: number }>`select count(*) as n from draw_record where "gameId" = ${gameId}`;
    await expect.poll(() => count(drawn), { timeout: 30_000 }).toBe(2);
    const tried = sql<{ n: number }>`select count(*) as n from spider
      where "gameId" = ${gameId} and name = '不通' and "lastRunTime" is not null`;
    await expect.poll(() => count(tried), { timeout: 30_000 }).toBe(1);
    await expect
      .poll(
        () =>
          jobs
            .troubles()
            .map(({ part }) => part)
            .toSorted(),
        { timeout: 30_000 },
      )
      .toEqual(['late-plans', 'mails']);
    await sql.raw('alter table mail_outbox_away rename to mail_outbox').execute(server.database.owner);
    await sql`insert into mail_outbox (template, "to") values ('LOGIN', 'a@example.com')`.execute(server.db);
    const given = sql<{ n: number }>`select count(*) as n from mail_outbox where status = 'FAILED'`;
    await expect.poll(() => count(given), { timeout: 30_000 }).toBe(1);
    await expect.poll(() => troubleOf(jobs, 'mails'), { timeout: 30_000 }).toBeUndefined();
    await sql.raw('drop function refuse_late() cascade').execute(server.database.owner);
  });

  it('that is ready says which parts are in trouble, and what these do', async () => {
    const { timeZone } = server.config;
    const connections = openConnections(server.database.url, { timeZone });
    const app = await buildApp({ config: server.config, connections });
    await app.listen({ host: '127.0.0.1', port: 0 });
    ends.push(
      () => connections.destroy(),
      () => app.close(),
    );
    const readyz = async () => {
      const { statusCode, body } = await app.inject('/readyz');
      return [statusCode, JSON.parse(body)];
    };
    expect(await readyz()).toEqual([200, { status: 'ready' }]);
    const { parts } = observed(['mails'], () => () => Promise.reject(new Error('broken')));
    app.background = await start(parts);
    const background = [{ part: 'mails', what: '发送邮件', trouble: 'failing' }];
    await expect.poll(readyz, { timeout: 30_000 }).toEqual([200, { status: 'ready', background }]);
    const { address: host, port } = app.server.address() as AddressInfo;
    const overviewOf = async ({ token }: TestClient) =>
      (await testClient(`http://${host}:${port}`, token).call(getOverview, {})).envelope.data?.background;
    // Who has no program that looks at /readyz sees it on the screen.
    expect(await overviewOf(await server.admin())).toEqual(['发送邮件']);
    const few = await buildOperator(server.db, { grants: ['/main/pms/role'] });
    expect(await overviewOf(await server.as(few.username, few.password))).toBeNull();
  });
});
