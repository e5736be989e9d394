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

/** Countries tell of another clock months ahead, as a rule; both sides are asked for so many days. */
const DAYS_AHEAD = 2 * 366;

/**
 * A sentence where the database's clock is another than this program's on some day from now on. Both have rules of their own for each zone, which
 * are of the year they were made in, and a country may decide otherwise since.
 */
export async function tellOtherRules(db: Db, timeZone: string): Promise<string | undefined> {
  const { rows } = await sql<{ moment: number; shown: string }>`
    select extract(epoch from moment)::float8 as moment, substr(moment::text, 1, 19) as shown
    from generate_series(date_trunc('hour', now()), now() + make_interval(days => ${DAYS_AHEAD}), interval '24 hours') as moment`.execute(
    db,
  );
  const clock = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  for (const { moment, shown } of rows) {
    const own = clock.format(moment * 1_000);
    if (shown === own) continue;
    const minutes = (Date.parse(`${shown}Z`) - Date.parse(`${own}Z`)) / 60_000;
    const way = minutes > 0 ? '快' : '慢';
    return `时区数据不一致：按 ${timeZone}，${own.slice(0, 10)} 数据库的钟点比程序${way} ${Math.abs(minutes)} 分钟。开奖计划按程序的钟点生成，时间与报表按数据库的显示；请把较旧的一方（数据库服务器的 tzdata 或本程序）更新`;
  }
  return undefined;
}
