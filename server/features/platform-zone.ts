import { sql } from 'kysely';
import { DatabaseUnfit, type Db } from '#server/db/database.ts';
import { findSeedValue } from './seed-store.ts';

const KEY = 'platform:time-zone';

/** Names of one zone, such as PRC and Asia/Shanghai, are the same. */
const canonical = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;

/**
 * Keeps the platform's zone in the database at the first start, and throws `DatabaseUnfit` when a server comes with another:
 * days, phases and promises are numbered in it, so it never changes.
 */
export async function keepTimeZone(db: Db, timeZone: string): Promise<void> {
  await sql`insert into seed_row (key, value) values (${KEY}, ${timeZone}) on conflict (key) do nothing`.execute(
    db,
  );
  const kept = await findSeedValue(db, KEY);
  if (kept === undefined || canonical(kept) === canonical(timeZone)) return;
  throw new DatabaseUnfit(
    `环境变量 PLATFORM_TIME_ZONE 是 ${timeZone}，而这个数据库的平台时区是 ${kept}：期号与每一天都按它划分，不能更改；请改回 ${kept}`,
  );
}
