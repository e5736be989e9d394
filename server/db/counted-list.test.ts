import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '#server/features/seed.ts';
import { buildPlayer } from '#server/testing/build-player.ts';
import { testConfig } from '#server/testing/test-config.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { type CountedList, countRows, foldCounts, seek } from './counted-list.ts';
import { connect } from './database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const ledger: CountedList = {
  table: 'account_history',
  key: sql`"changeType"`,
  ofKeys: (keys) => sql`"changeType" = any(${keys}::text[])`,
};
const march = ['2026-03-01 00:00:00', '2026-03-31 23:59:59'] as const;

/** Rows written straight into the table, far more than one block holds, with gaps in their ids. */
const fill = (rows: number) => sql`
  insert into account_history (id, "userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", hash, "createTime")
  overriding system value
  select g * 3, (select min("userId") from account), g, 0, 1, 1, 'IN', (array['WIN', 'REBATE', 'RETURN'])[1 + g % 3], '',
    '2026-02-20 07:00:00+08'::timestamptz + g * interval '100 seconds'
  from generate_series(1, ${rows}::int) g`;

describe('counts and places of a long list', () => {
  it('agree with a scan at every depth, across blocks, days and gaps, before and after folding', async () => {
    const { db } = database;
    await buildPlayer(db);
    await fill(60_000).execute(db);
    const parts = [
      {},
      { keys: ['REBATE'] },
      { range: march },
      { keys: ['WIN', 'RETURN'], range: ['2026-03-03 04:05:06', '2026-04-01 10:00:00'] as const },
    ];
    for (const folded of [false, true]) {
      if (folded) expect(await foldCounts(db)).toBe(true);
      for (const part of parts) {
        const { keys, range } = part as { keys?: string[]; range?: readonly [string, string] };
        const { rows } = await sql<{ id: number }>`select id from account_history
          where (${keys ?? null}::text[] is null or "changeType" = any(${keys ?? null}::text[]))
            and (${range?.[0] ?? null}::text is null or "createTime" between ${range?.[0] ?? null}::timestamptz and ${range?.[1] ?? null}::timestamptz)
          order by id desc`.execute(db);
        const ids = rows.map(({ id }) => id);
        expect(await countRows(db, ledger, part)).toBe(ids.length);
        for (const offset of [0, 1, 2_047, 2_048, 5_000, Math.floor(ids.length / 2), ids.length - 1]) {
          const place = await seek(db, ledger, part, offset);
          const at = ids.filter((id) => id <= (place?.bound ?? 0))[place?.skip ?? -1];
          expect(at, JSON.stringify({ part, offset, place })).toBe(ids[offset]);
          expect(place?.skip).toBeLessThan(2_048);
        }
        expect(await seek(db, ledger, part, ids.length)).toBeUndefined();
      }
    }
    expect(await foldCounts(db)).toBe(false);
  });

  it('are counted anew when the platform moves to another zone', async () => {
    const day = { range: ['2026-03-10 00:00:00', '2026-03-10 23:59:59'] as const };
    const before = await countRows(database.db, ledger, day);
    const timeZone = 'America/New_York';
    const moved = connect(database.url, { timeZone, patient: true });
    await seed(moved, testConfig({ timeZone }));
    // On this day New York moves its clocks: 23 hours and no more.
    expect(await countRows(moved, ledger, { range: ['2026-03-08 00:00:00', '2026-03-08 23:59:59'] })).toBe(
      23 * 36,
    );
    expect(before).toBe(24 * 36);
    await moved.destroy();
  });
});
