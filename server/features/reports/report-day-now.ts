import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import type { Day } from '#server/platform-days.ts';

/** Which day it is as the report counts, and at what time (`HH:mm`) its days begin. */
export async function reportDayNow(db: Db): Promise<{ today: Day; dayStart: string }> {
  const { rows } = await sql<{ today: Day; dayStart: string }>`
    select report_day(clock_timestamp())::text as today, to_char(report_day_start(), 'HH24:MI') as "dayStart"`.execute(
    db,
  );
  return given(rows[0]);
}
