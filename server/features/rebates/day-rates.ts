import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Day } from '#server/platform-days.ts';
import { shareOf } from './exact.ts';
import type { DayRates } from './shares.ts';

/** The shares that players get back on a day, by level and category. */
export async function rebateRatesOn(db: Db, day: Day) {
  const { rows } = await sql<{ level: number; categoryId: number; rate: string }>`
    select distinct on (level, "categoryId") level, "categoryId", rate from rebate_rate
    where "validFrom" <= ${day}::date order by level, "categoryId", "validFrom" desc`.execute(db);
  return rows;
}

interface PaidAgent {
  readonly id: number;
  readonly userId: number;
  readonly rate: string;
}

/** Every agent's share on a day, and whose account it goes to, as is said now. */
export async function agentsOn(db: Db, day: Day): Promise<PaidAgent[]> {
  const { rows } = await sql<PaidAgent>`
    select * from (
      select distinct on (a.id) a.id, a."userId", r.rate from agent a join agent_rate r on r."agentId" = a.id
      where r."validFrom" <= ${day}::date order by a.id, r."validFrom" desc) as latest
    where rate > 0`.execute(db);
  return rows;
}

/** As the day's run had it. */
async function agentsOfRun(db: Db, day: Day): Promise<PaidAgent[]> {
  const query = db.selectFrom('rebate_agent').select(['agentId as id', 'userId', 'rate']);
  return query.where('runDay', '=', day).execute();
}

/** The rates that hold on a day: of one that was released, as they were then. */
export async function ratesOn(
  db: Db,
  day: Day,
  { ownSlips, isReleased }: { readonly ownSlips: boolean; readonly isReleased: boolean },
): Promise<DayRates> {
  const rows = await rebateRatesOn(db, day);
  const agents = isReleased ? await agentsOfRun(db, day) : await agentsOn(db, day);
  const rebates = new Map(rows.map((row) => [`${row.level} ${row.categoryId}`, shareOf(row.rate)]));
  const found = new Map(agents.map(({ id, userId, rate }) => [id, { userId, rate: shareOf(rate) }]));
  return {
    ownSlips,
    rebate: (level, categoryId) => rebates.get(`${level} ${categoryId}`) ?? 0n,
    agent: (id) => found.get(id),
  };
}
