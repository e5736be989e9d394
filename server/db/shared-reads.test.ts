import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type TcpProxy, tcpProxy } from '#server/testing/tcp-proxy.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { connect, type Db } from './database.ts';
import { isOutage } from './driver/outage.ts';
import { onStatement } from './driver/statements.ts';
import { readBytes } from './read-bytes.ts';
import { readTogether } from './read-together.ts';

const timeZone = 'Asia/Shanghai';

let database: TestDatabase;
/** Holds the gates. */
let keeper: Db;
let sent = '';
let way: TcpProxy;

beforeAll(async () => {
  database = await testDatabase();
  keeper = connect(database.url, { timeZone, max: 4 });
  way = await tcpProxy(database.url, (bytes) => {
    sent += bytes.toString('latin1');
  });
});
afterAll(async () => {
  await keeper.destroy();
  await way.close();
  await database.drop();
});
beforeEach(() => {
  sent = '';
  // What was sent a moment ago stays so, however busy the machine is.
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  for (const open of openAll) open();
  openAll = [];
  vi.useRealTimers();
});

/** A list that comes through this gate, with a word that is seen on its way. */
const list = (gate: number, word: string) =>
  sql`select ${word}::text, pg_advisory_xact_lock_shared(${gate}::bigint)`;
const word = async (asked: ReturnType<typeof readBytes>): Promise<string | undefined> =>
  (await asked)[0]?.[0]?.toString();
const waiting = async (gate: number): Promise<number> => {
  const found = sql`select from pg_locks where locktype = 'advisory' and objid = ${gate} and not granted`;
  return (await found.execute(keeper)).rows.length;
};

/** Gates that a test that fails leaves shut. */
let openAll: (() => void)[] = [];

/** Shuts a gate; gives what opens it. */
async function shut(gate: number): Promise<() => Promise<void>> {
  const open = Promise.withResolvers<void>();
  openAll.push(open.resolve);
  const isShut = Promise.withResolvers<void>();
  const over = keeper.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(gate)})`.execute(tx);
    isShut.resolve();
    await open.promise;
  });
  await isShut.promise;
  return () => {
    open.resolve();
    return over;
  };
}

/** Runs with a pool of so many connections, all of which know how a list is read. */
async function withPool(max: number, run: (db: Db) => Promise<void>): Promise<void> {
  const db = connect(way.url, { timeZone, max });
  const open = await shut(9);
  const known = Array.from({ length: max }, (_, place) => readBytes(db, list(9, `${place}`)));
  await expect.poll(() => waiting(9)).toBe(max);
  await open();
  await Promise.all(known);
  await run(db).finally(() => db.destroy());
}

it('while all connections are in use, two are sent behind the one that was sent a moment ago, and the next is not', () =>
  withPool(1, async (db) => {
    const open = await shut(1);
    const first = readBytes(db, list(1, 'first'));
    await setImmediate();
    const others = ['second', 'third', 'fourth'].map((each) => word(readBytes(db, list(1, each))));
    await expect.poll(() => ['second', 'third'].every((each) => sent.includes(each))).toBe(true);
    expect(await waiting(1)).toBe(1);
    expect(sent).not.toContain('fourth');
    await open();
    expect(await word(first)).toBe('first');
    expect(await Promise.all(others)).toEqual(['second', 'third', 'fourth']);
  }));

it('so are two that are read together', () =>
  withPool(1, async (db) => {
    const open = await shut(1);
    const first = readBytes(db, list(1, 'first'));
    await setImmediate();
    const pair = readTogether<{ text: string }, { text: string }>(db, list(1, 'one'), list(1, 'other'));
    await expect.poll(() => ['one', 'other'].every((each) => sent.includes(each))).toBe(true);
    expect(await waiting(1)).toBe(1);
    await open();
    expect(await word(first)).toBe('first');
    expect((await pair).map(([row]) => row?.text)).toEqual(['one', 'other']);
  }));

it('none is sent behind one that takes long', () =>
  withPool(1, async (db) => {
    const open = await shut(1);
    const first = readBytes(db, list(1, 'first'));
    await setImmediate();
    vi.advanceTimersByTime(30);
    const second = readBytes(db, list(1, 'second'));
    await expect.poll(() => waiting(1)).toBe(1);
    expect(sent).not.toContain('second');
    await open();
    expect([await word(first), await word(second)]).toEqual(['first', 'second']);
  }));

it('whoever is sent behind a slow one is answered over another connection', () =>
  withPool(2, async (db) => {
    const [openSlow, openOther] = [await shut(1), await shut(2)];
    const slow = readBytes(db, list(1, 'slow'));
    await setImmediate();
    const other = readBytes(db, list(2, 'other'));
    await setImmediate();
    const behind = readBytes(db, list(3, 'behind'));
    await expect.poll(() => sent.includes('behind')).toBe(true);
    await openOther();
    expect(await word(other)).toBe('other');
    expect(await word(behind)).toBe('behind');
    expect(await waiting(1)).toBe(1);
    await openSlow();
    expect(await word(slow)).toBe('slow');
  }));

it('one that fails fails alone, whether it is ahead or behind', () =>
  withPool(1, async (db) => {
    // Not found out before it is run.
    const broken = (gate: number) =>
      readBytes(
        db,
        sql`select 1 / (random() * 0)::int from (select pg_advisory_xact_lock_shared(${gate}::bigint)) as gated`,
      ).catch((error: unknown) => error);
    const open = await shut(1);
    const ahead = broken(1);
    await setImmediate();
    const [behind, well] = [broken(3), word(readBytes(db, list(3, 'well')))];
    await expect.poll(() => waiting(1)).toBe(1);
    await open();
    expect([await ahead, await behind]).toMatchObject([{ code: '22012' }, { code: '22012' }]);
    expect(await well).toBe('well');
  }));

it('a connection that is lost is an outage for the one ahead only', () =>
  withPool(1, async (db) => {
    const open = await shut(1);
    const ahead = readBytes(db, list(1, 'ahead')).catch((error: unknown) => error);
    await setImmediate();
    const behind = [1, 2].map((each) => word(readBytes(db, list(3, `behind ${each}`))));
    await expect.poll(() => sent.includes('behind 2')).toBe(true);
    await expect.poll(() => waiting(1)).toBe(1);
    await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = 1 and not granted`.execute(
      keeper,
    );
    expect(await ahead).toSatisfy(isOutage);
    expect(await Promise.all(behind)).toEqual(['behind 1', 'behind 2']);
    await open();
  }));

it('the time of one behind counts from when those ahead are answered', () =>
  withPool(1, async (db) => {
    const times: number[] = [];
    const unheard = onStatement(
      ({ text, ms }) => text.includes('advisory_xact_lock_shared') && times.push(ms),
    );
    const open = await shut(7);
    const both = [readBytes(db, list(7, 'first'))];
    await setImmediate();
    both.push(readBytes(db, list(7, 'second')));
    await expect.poll(() => sent.includes('second')).toBe(true);
    vi.advanceTimersByTime(5_000);
    await open();
    await Promise.all(both);
    unheard();
    expect(times).toEqual([expect.toSatisfy((ms: number) => ms >= 5_000), 0]);
  }));
