import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { tcpProxy } from '#server/testing/tcp-proxy.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { assertFit, connect, type Db } from './database.ts';
import { TAKES_MINUTES } from './driver/connection.ts';
import { poolStates } from './driver/connection-pool.ts';
import { isOutage } from './driver/outage.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  await sql`create table thing (id int generated always as identity, name text)`.execute(database.owner);
  await sql`grant all on thing to public`.execute(database.owner);
});
afterAll(() => database.drop());

const ZONE = 'Asia/Shanghai';

async function one<T>(query: ReturnType<typeof sql<T>>, on = db): Promise<T> {
  const { rows } = await query.execute(on);
  if (!rows[0]) throw new Error('no row');
  return rows[0];
}

const names = async (): Promise<unknown[]> =>
  (await sql<{ name: string }>`select name from thing order by id`.execute(db)).rows.map(({ name }) => name);

const killedBy = (pid: number) => sql`select pg_terminate_backend(${pid})`.execute(db);
const pidOf = async (on: Db): Promise<number> =>
  (await one(sql<{ pid: number }>`select pg_backend_pid() as pid`, on)).pid;

describe('values', () => {
  test('travel as the wire wants them', async () => {
    expect(
      await one(sql`select 9007199254740991::int8 as id, 1234.50::numeric as money, 0.1::float8 as ratio, true as flag,
        timestamptz '2024-03-10 08:00:00.999+00' as moment, timestamp '2024-03-10 08:00:00.5' as wall, date '2024-03-10' as day,
        '{"a": [1]}'::jsonb as json, array[1, 2]::int8[] as ids, array['x,"y"'] as texts, null as nothing, '\\x0aff'::bytea as bytes`),
    ).toEqual({
      id: Number.MAX_SAFE_INTEGER,
      money: '1234.50',
      ratio: 0.1,
      flag: true,
      moment: '2024-03-10 16:00:00',
      wall: '2024-03-10 08:00:00',
      day: '2024-03-10',
      json: { a: [1] },
      ids: [1, 2],
      texts: ['x,"y"'],
      nothing: null,
      bytes: Buffer.from([10, 255]),
    });
  });

  test('are taken as parameters in the same forms', async () => {
    const parameters = sql`select ${'2024-03-10 16:00:00'}::timestamptz = ${new Date('2024-03-10T08:00:00Z')}::timestamptz as moment,
      ${'1234.5000'}::numeric::text as money, ${[3, 4]}::int8[] as ids, ${[true, false]}::bool[] as flags, ${['a', 'b"']}::text[] as texts,
      ${{ a: 1 }}::jsonb as value, ${JSON.stringify([1])}::jsonb as text, ${false}::bool as no, ${'true'}::bool as yes,
      ${'2024-03-10'}::date as day`;
    expect(await one(parameters)).toEqual({
      moment: true,
      money: '1234.5000',
      ids: [3, 4],
      flags: [true, false],
      texts: ['a', 'b"'],
      value: { a: 1 },
      text: [1],
      no: false,
      yes: true,
      day: '2024-03-10',
    });
  });

  test('arrays of them too, with everything that could be taken for their punctuation', async () => {
    const texts = ['', 'null', 'NULL', '{}', 'a,b', 'c"d', 'e\\f', '汉\n字', ' g '];
    expect(
      await one(sql`select ${texts}::text[] as texts, ${[texts, texts]}::text[] as nested, ${[]}::text[] as none, array[null, 'x'] as gaps,
        ${[1, 9007199254740991]}::int8[] as ids, ${[7]}::int[] as integers, ${['1.50', 'NaN']}::numeric[] as money, ${[0.5]}::float8[] as ratios,
        ${[new Date('2024-03-10T08:00:00Z')]}::timestamptz[] as moments, ${['2024-03-10']}::date[] as days, ${[{ a: ['"'] }]}::jsonb[] as json,
        ${['0b0e7e2c-5a7c-4d3e-9f00-000000000001']}::uuid[] as uuids, '[0:1]={3,4}'::int[] as bounds, ${'{5,6}'}::int8[] as text`),
    ).toEqual({
      texts,
      nested: [texts, texts],
      none: [],
      gaps: [null, 'x'],
      ids: [1, Number.MAX_SAFE_INTEGER],
      integers: [7],
      money: ['1.50', 'NaN'],
      ratios: [0.5],
      moments: ['2024-03-10 16:00:00'],
      days: ['2024-03-10'],
      json: [{ a: ['"'] }],
      uuids: ['0b0e7e2c-5a7c-4d3e-9f00-000000000001'],
      bounds: [3, 4],
      text: [5, 6],
    });
  });

  test('a Date is no calendar day: refused', async () => {
    await expect(one(sql`select ${new Date()}::date`)).rejects.toThrow(/not a Date/);
    expect(await one(sql`select 1 as still_usable`)).toEqual({ still_usable: 1 });
  });

  // New York changes its clocks on these two days; none of it may show in another zone's times.
  const moments = [
    '2024-03-10 06:59:59+00',
    '2024-03-10 07:00:00+00',
    '2024-11-03 05:30:00+00',
    '2024-11-03 06:30:00+00',
  ];
  const shanghai = [
    '2024-03-10 14:59:59',
    '2024-03-10 15:00:00',
    '2024-11-03 13:30:00',
    '2024-11-03 14:30:00',
  ];
  const newYork = [
    '2024-03-10 01:59:59',
    '2024-03-10 03:00:00',
    '2024-11-03 01:30:00',
    '2024-11-03 01:30:00',
  ];
  const zones = ['UTC', 'Asia/Shanghai', 'America/New_York'];
  const matrix = zones.flatMap((process) => zones.map((database) => [process, database] as const));

  test.each(matrix)(
    'times are the platform’s with the process in %s and the database in %s',
    async (processZone, databaseZone) => {
      const own = await testDatabase({ empty: true });
      const kept = process.env.TZ;
      process.env.TZ = processZone;
      try {
        const name = sql.ref(new URL(own.url).pathname.slice(1));
        await sql`alter database ${name} set timezone to ${sql.lit(databaseZone)}`.execute(own.db);
        for (const [zone, expected] of [
          ['Asia/Shanghai', shanghai],
          ['America/New_York', newYork],
        ] as const) {
          const client = connect(own.url, { timeZone: zone });
          const { rows } = await sql<{ text: string; same: boolean }>`
          select moment as text, moment::date::text = to_char(moment, 'YYYY-MM-DD') as same
          from unnest(${moments}::text[]::timestamptz[]) as moment`.execute(client);
          expect(rows).toEqual(expected.map((text) => ({ text, same: true })));
          const back = await one<{ utc: string }>(
            sql`select to_char(${expected[0]}::timestamptz at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as utc`,
            client,
          );
          expect(back.utc).toBe('2024-03-10 06:59:59');
          await client.destroy();
        }
      } finally {
        if (kept === undefined) delete process.env.TZ;
        else process.env.TZ = kept;
        await own.drop();
      }
    },
  );
});

describe('a connection that is lost', () => {
  test('in the middle of a transaction undoes all of it: nothing later in it runs outside', async () => {
    const lost = db.transaction().execute(async (tx) => {
      await sql`insert into thing (name) values ('before')`.execute(tx);
      await killedBy(await pidOf(tx));
      // Longer than the loss takes to arrive: the driver itself would have a new connection ready by now.
      await sleep(100);
      await sql`insert into thing (name) values ('after')`.execute(tx).catch(() => {});
      await sql`insert into thing (name) values ('later')`.execute(tx);
    });
    await expect(lost).rejects.toSatisfy(isOutage);
    expect(await names()).toEqual([]);
  });

  test('during a statement fails this statement and those in line behind it', async () => {
    const lost = db.transaction().execute(async (tx) => {
      const pid = await pidOf(tx);
      const line = [
        sql`select pg_sleep(5)`.execute(tx),
        sql`insert into thing (name) values ('in line')`.execute(tx),
        sql`insert into thing (name) values ('in line too')`.execute(tx),
      ];
      setTimeout(() => void killedBy(pid), 100);
      for (const result of await Promise.allSettled(line)) expect(result.status).toBe('rejected');
    });
    await expect(lost).rejects.toSatisfy(isOutage);
    expect(await names()).toEqual([]);
  });

  test('while idle is replaced without anyone noticing, and none is left behind', async () => {
    // Of each run its own, so that a run anew meets none of what one before left.
    const name = `idle-${randomUUID()}`;
    const own = connect(database.url, { timeZone: ZONE, applicationName: name, name, max: 4 });
    const open = () => poolStates().find((pool) => pool.name === name)?.open;
    // Again and again, since one that was still opening was nobody's to end.
    const openOnceEnded = async () => {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`.execute(
        db,
      );
      return open();
    };
    const busy = () => Promise.all(Array.from({ length: 12 }, () => sql`select pg_sleep(0.02)`.execute(own)));
    await busy();
    for (let round = 0; round < 3; round++) {
      await expect.poll(openOnceEnded).toBe(0);
      await busy();
    }
    const count = () =>
      one(
        sql<{
          n: number;
        }>`select count(*)::int as n from pg_stat_activity where application_name = ${name}`,
      );
    expect((await count()).n).toBeLessThanOrEqual(4);
    await own.destroy();
    await expect.poll(async () => (await count()).n).toBe(0);
  });
});

describe('a machine that is the primary no more', () => {
  test('refuses a change as an outage, and is not asked again over the same connection', async () => {
    const own = connect(database.url, { timeZone: ZONE, max: 1 });
    const add = (name: string) => sql`insert into thing (name) values (${name})`.execute(own);
    await add('before');
    // What a standby says of every change, and would go on saying over this session.
    await sql`set default_transaction_read_only = on`.execute(own);
    await expect(add('meanwhile')).rejects.toSatisfy(isOutage);
    await add('after');
    expect(await names()).toEqual(['before', 'after']);
    await sql`delete from thing`.execute(own);
    await own.destroy();
  });
});

describe('a connection that is cut while it opens', () => {
  test.each([1, 2, 3])('by the network, after %i answers, is an outage and nothing else', async (answers) => {
    // An error that nobody awaits would fail the run.
    const server = createServer((client) => {
      const { hostname, port } = new URL(database.url);
      const upstream = connectSocket(Number(port), hostname);
      let seen = 0;
      for (const socket of [client, upstream]) socket.on('error', () => {});
      client.on('data', (bytes) => upstream.write(bytes));
      upstream.on('data', (bytes) => {
        if (++seen > answers) client.resetAndDestroy();
        else client.write(bytes);
      });
      client.on('close', () => upstream.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(database.url);
    url.port = String((server.address() as AddressInfo).port);
    const own = connect(url.href, { timeZone: ZONE });
    await expect(sql`select 1`.execute(own)).rejects.toSatisfy(isOutage);
    await sleep(50);
    await own.destroy();
    server.close();
  });
});

describe('a burst while connections open slowly', () => {
  test('is served in the order of asking, by whatever connection comes free', async () => {
    const { hostname, port } = new URL(database.url);
    let opened = 0;
    const sockets = new Set<Socket>();
    // The first passes; the others are left hanging, as is whoever feels the pulse.
    const server = createServer((client) => {
      sockets.add(client.on('error', () => {}));
      if (opened++ > 0) return;
      const upstream = connectSocket(Number(port), hostname).on('error', () => {});
      client.pipe(upstream).pipe(client);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(database.url);
    url.port = String((server.address() as AddressInfo).port);
    const own = connect(url.href, { timeZone: ZONE, max: 4 });
    const served: number[] = [];
    const asked = Array.from({ length: 12 }, async (_, place) => {
      await sql`select pg_sleep(0.25)`.execute(own);
      served.push(place);
    });
    await Promise.all(asked);
    expect(served).toEqual(asked.map((_, place) => place));
    await own.destroy();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});

describe('transactions', () => {
  test('that swallowed an error are not taken for committed', async () => {
    const swallowed = db.transaction().execute(async (tx) => {
      await sql`insert into thing (name) values ('swallowed')`.execute(tx);
      await sql`select 1/0`.execute(tx).catch(() => {});
    });
    await expect(swallowed).rejects.toThrow();
    expect(await names()).toEqual([]);
  });

  test('tell why they were rolled back', async () => {
    const failed = db.transaction().execute(async () => {
      throw new Error('the reason');
    });
    await expect(failed).rejects.toThrow('the reason');
  });
});

describe('a statement without values', () => {
  test('is prepared where it reads; a text of several is sent as it is', async () => {
    await db.transaction().execute(async (tx) => {
      const reading = sql<{ n: number }>`select count(*) as n from thing as kept`;
      await reading.execute(tx);
      await sql`insert into thing (name) values ('one'); insert into thing (name) values ('two')`.execute(tx);
      const { n } = await one(sql<{ n: number }>`select 1 as n; select 2 as n`, tx);
      expect(n).toBe(2);
      await reading.execute(tx);
      const prepared = sql`select from pg_prepared_statements where statement like '%thing as kept' and generic_plans + custom_plans > 1`;
      expect((await prepared.execute(tx)).rows).toHaveLength(1);
    });
  });
});

describe('limits', () => {
  test('a slow statement is cut off as an outage, and the connection goes on', async () => {
    const slow = db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 50`.execute(tx);
      await sql`select pg_sleep(5)`.execute(tx);
    });
    await expect(slow).rejects.toSatisfy(isOutage);
  });

  test('every session has the console’s limits, all under 15 s', async () => {
    const { rows } = await sql<{ ms: number }>`select setting::int as ms from pg_settings where name in
      ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`.execute(db);
    expect(rows).toHaveLength(3);
    for (const { ms } of rows) {
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThan(15_000);
    }
  });

  test('a start may pause in a transaction for longer than a server at work, not for ever', async () => {
    const patient = connect(database.url, { timeZone: ZONE, max: 1, patient: true });
    const { limit } = await one(
      sql<{ limit: string }>`select current_setting('idle_in_transaction_session_timeout') as limit`,
      patient,
    );
    await patient.destroy();
    expect(limit).toBe('1min');
  });

  test('patient work waits for as long as the database lives, and no longer', async () => {
    let lives = true;
    const pulse = Object.assign(() => Promise.resolve(lives), { felt: () => {} });
    const patient = connect(database.url, { timeZone: ZONE, max: 1, patient: true, pulse });
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      await sql`select 1`.execute(patient);
      const slow = sql<{ n: number }>`select 1 as n from pg_sleep(1.5)`.execute(patient);
      // It began an hour ago when its database is doubted after a second.
      vi.advanceTimersByTime(3_600_000);
      expect((await slow).rows).toEqual([{ n: 1 }]);
      lives = false;
      await expect(sql`select pg_sleep(60)`.execute(patient)).rejects.toSatisfy(isOutage);
    } finally {
      vi.useRealTimers();
      await patient.destroy();
    }
  });

  test('what a transaction says takes minutes is waited for as long, and nothing after it', async () => {
    const usual = connect(database.url, { timeZone: ZONE, max: 1 });
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      // A minute has gone by when it is doubted after a second.
      const slow = (tx: Db) => {
        const asked = sql<{ n: number }>`select 1 as n from pg_sleep(1.5)`.execute(tx);
        return sql`select 1`.execute(db).then(() => {
          vi.advanceTimersByTime(60_000);
          return asked;
        });
      };
      const counted = usual.transaction().execute(async (tx) => {
        await sql`set local statement_timeout = '5min' ${sql.raw(TAKES_MINUTES)}`.execute(tx);
        return slow(tx);
      });
      expect((await counted).rows).toEqual([{ n: 1 }]);
      await expect(usual.connection().execute(slow)).rejects.toSatisfy(isOutage);
    } finally {
      vi.useRealTimers();
      await usual.destroy();
    }
  });

  test('a thread that gives way hears late what others would have given up', async () => {
    const way = await tcpProxy(database.url);
    const hurried = connect(way.url, { timeZone: ZONE, max: 1 });
    const thread = connect(way.url, { timeZone: ZONE, max: 1, givesWay: true });
    try {
      const ask = (of: Db) => sql<{ n: number }>`select 1 as n`.execute(of);
      for (const began of ['without a connection', 'with one']) {
        way.hang();
        const late = ask(thread);
        await expect(ask(hurried), began).rejects.toSatisfy(isOutage);
        await way.resume();
        expect((await late).rows).toEqual([{ n: 1 }]);
      }
    } finally {
      await Promise.all([hurried.destroy(), thread.destroy()]);
      await way.close();
    }
  });

  test('a database that is not there fails at once', async () => {
    const nowhere = connect('postgres://nobody:x@127.0.0.1:1/none', { timeZone: ZONE });
    const started = performance.now();
    const all = await Promise.allSettled(Array.from({ length: 100 }, () => sql`select 1`.execute(nowhere)));
    expect(all.every((result) => result.status === 'rejected' && isOutage(result.reason))).toBe(true);
    expect(performance.now() - started).toBeLessThan(3_000);
    await nowhere.destroy();
  });
});

describe('what a ledger relies on', () => {
  test('a database that forgets commits is refused, by name', async () => {
    await expect(assertFit(db, ZONE)).rejects.toThrow(/fsync 已关闭/);
  });

  // What a database would tell in which one setting alone is off, or none: its own function is asked before PostgreSQL's.
  test.each(['fsync', 'full_page_writes', 'synchronous_commit', 'none'])(
    'a database that would forget by one setting alone is refused by its name: %s',
    async (off) => {
      const own = await testDatabase({ empty: true });
      await sql`create schema told`.execute(own.owner);
      await sql`create function told.current_setting(name text) returns text language sql return case
        when name = ${sql.lit(off)} then 'off'
        when name in ('fsync', 'full_page_writes', 'synchronous_commit') then 'on'
        else pg_catalog.current_setting(name) end`.execute(own.owner);
      const name = new URL(own.ownerUrl).pathname.slice(1);
      await sql`alter database ${sql.ref(name)} set search_path = told, pg_catalog`.execute(own.owner);
      const told = connect(own.ownerUrl, { timeZone: ZONE, max: 1 });
      const looked = assertFit(told, ZONE);
      if (off === 'none') await looked;
      else await expect(looked).rejects.toThrow(`数据库参数 ${off} 已关闭`);
      await told.destroy();
      await own.drop();
    },
  );

  test('a session in another zone is refused, however the zone is written', async () => {
    await expect(assertFit(db, 'Asia/Tokyo')).rejects.toThrow(/时区是 Asia\/Shanghai，不是/);
    for (const timeZone of ['asia/shanghai', 'utc', 'ETC/GMT+5']) {
      const own = connect(database.url, { timeZone, max: 1 });
      await expect(assertFit(own, timeZone)).rejects.toThrow(/fsync 已关闭/);
      await own.destroy();
    }
  });

  test('the application is no superuser', async () => {
    expect(
      await one(sql`select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user`),
    ).toEqual({
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
    });
  });
});
