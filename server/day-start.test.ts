import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inZone } from '#server/testing/in-zone.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { addDays, dayOf, dayStart, unevenDays } from './platform-days.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

// Midnight comes twice in Havana and on the Azores, is skipped in Santiago, and the hour before it came twice in Asuncion, Beirut and Nuuk;
// in Newfoundland clocks went back a minute after midnight. Others change at other hours, by half an hour, by two hours, by a whole day.
it.each([
  ['America/Havana', '2024-01-01', '2032-12-31'],
  ['Atlantic/Azores', '2024-01-01', '2032-12-31'],
  ['America/Asuncion', '2018-01-01', '2024-06-30'],
  ['Africa/Cairo', '2023-01-01', '2032-12-31'],
  ['Asia/Beirut', '2024-01-01', '2032-12-31'],
  ['America/Santiago', '2024-01-01', '2032-12-31'],
  ['America/Nuuk', '2024-01-01', '2032-12-31'],
  ['America/New_York', '2024-01-01', '2032-12-31'],
  ['Australia/Lord_Howe', '2024-01-01', '2032-12-31'],
  ['Antarctica/Troll', '2024-01-01', '2032-12-31'],
  ['America/St_Johns', '2005-01-01', '2011-12-31'],
  ['Pacific/Apia', '2011-06-15', '2012-06-15'],
  ['Asia/Shanghai', '1986-01-01', '1991-12-31'],
])(
  'each day of %s begins with its first moment, to the server and to the database',
  async (zone, from, to) => {
    const days = unevenDays(from, to, zone).flatMap((day) => [-1, 0, 1].map((by) => addDays(day, by)));
    expect(days.length).toBeGreaterThan(0);
    const { rows } = await inZone(database, zone, (db) =>
      sql<{ at: number; shown: string }>`
      select extract(epoch from day_start(day))::float8 as at, to_char(day_start(day), 'YYYY-MM-DD') as shown
      from unnest(${days}::date[]) with ordinality as t (day, n) order by n`.execute(db),
    );
    expect(rows.map(({ at }) => at)).toEqual(days.map((day) => dayStart(day, zone)));
    for (const [place, { at, shown }] of rows.entries()) {
      // Samoa had no 30th of December 2011, which begins with the day after it.
      expect(shown).toBe(
        days[place] === '2011-12-30' && zone === 'Pacific/Apia' ? '2011-12-31' : days[place],
      );
      expect(dayOf(at, zone)).toBe(shown);
    }
  },
);
