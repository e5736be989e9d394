import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomSeed } from '#server/testing/random-seed.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { type Bounds, narrowed, startDatabaseClock } from './database-clock.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const databaseMs = async (): Promise<number> =>
  (
    await sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(
      database.db,
    )
  ).rows[0]?.ms ?? Number.NaN;

const HOUR = 3_600_000;

describe('the database’s clock', () => {
  it.each([0, HOUR, -HOUR])(
    'is told whatever the process’s own says (%i ms off), never ahead',
    async (off) => {
      const clock = await startDatabaseClock(database.db, { ownClock: () => Date.now() + off });
      const [before, told, after] = [await databaseMs(), clock.now().getTime(), await databaseMs()];
      // The reading before is one of a moment before, so this one lies between the two but for a reading's own delay.
      expect(told).toBeLessThanOrEqual(after);
      expect(told).toBeGreaterThan(before - 1_000);
      expect(Math.abs(clock.aheadMs() - off)).toBeLessThan(1_000);
      clock.stop();
    },
  );

  it('tells when the process’s own is off, when it is not to be trusted, and when it is right again', async () => {
    let off = 0;
    const told: [string, object][] = [];
    const clock = await startDatabaseClock(database.db, { ownClock: () => Date.now() + off });
    clock.tell({
      info: (details) => told.push(['info', details]),
      warn: (details) => told.push(['warn', details]),
      error: (details) => told.push(['error', details]),
    });
    const levels = () => told.map(([level]) => level);
    expect(clock.unfit()).toBeUndefined();
    off = -2_500;
    expect(clock.unfit()).toBeUndefined();
    await expect.poll(levels, { timeout: 30_000 }).toEqual(['warn']);
    off = -HOUR;
    expect(clock.unfit()).toMatch(/本机时钟比数据库慢 3600\.\d 秒/);
    await expect.poll(levels, { timeout: 30_000 }).toEqual(['warn', 'error']);
    off = HOUR;
    expect(clock.unfit()).toMatch(/本机时钟比数据库快 3600\.\d 秒/);
    off = 0;
    expect(clock.unfit()).toBeUndefined();
    await expect.poll(levels, { timeout: 30_000 }).toEqual(['warn', 'error', 'info']);
    clock.stop();
  });

  it('never runs ahead, however long its readings take, and follows when it is set', () => {
    const doubt = fc.integer({ min: 0, max: 5_000 });
    const readings = fc.array(fc.record({ early: doubt, late: doubt }), { minLength: 1 });
    const readAll = (start: Bounds | undefined, offset: number, taken: { early: number; late: number }[]) => {
      let held = start;
      for (const { early, late } of taken) {
        const read = { least: offset - late, most: offset + early };
        held = held ? narrowed(held, read) : read;
        expect(held.least).toBeLessThanOrEqual(offset);
        expect(held.most).toBeGreaterThanOrEqual(offset);
      }
      return held;
    };
    // Set by more than any reading's doubt: by less, it cannot be told from a slow answer.
    const step = fc.oneof(fc.integer({ min: 20_000, max: HOUR }), fc.integer({ min: -HOUR, max: -20_000 }));
    fc.assert(
      fc.property(readings, step, readings, (before, offset, after) => {
        readAll(readAll(undefined, 0, before), offset, after);
      }),
      { seed: randomSeed },
    );
  });

  it('is the only one that decides what is due: nothing else of the server reads the process’s own', () => {
    const readers = globSync('server/**/*.ts')
      .filter((path) => !/\.(test|fault)\.ts$|^server\/testing\//.test(path.replaceAll('\\', '/')))
      .filter((path) => /new Date\(\)|Date\.now\(\)/.test(readFileSync(path, 'utf8')));
    // Since when a replica is away and when a dump was made are told, and decide nothing.
    const known = ['server/db/database-clock.ts', 'server/db/dump.ts', 'server/db/replica.ts'];
    expect(readers.map((path) => path.replaceAll('\\', '/')).toSorted()).toEqual(known);
  });
});
