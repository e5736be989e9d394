import { Decimal } from 'decimal.js';
import { type SqlBool, sql } from 'kysely';
import type { AgentRate } from '#contract/agents.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { ratesOf } from './agent-store.ts';

/** What holds on a day, of rates with the latest first; nothing before the first. */
export const rateOn = (rates: readonly AgentRate[], day: string): string =>
  rates.find(({ validFrom }) => validFrom <= day)?.rate ?? '0';

/** The first day, not before `since`, on which somebody below gets more than who is above. */
export function firstDayAbove(
  below: readonly AgentRate[],
  above: readonly AgentRate[],
  since: string,
): string | undefined {
  const days = [since, ...[...below, ...above].map(({ validFrom }) => validFrom)];
  return days
    .toSorted()
    .find((day) => day >= since && new Decimal(rateOn(below, day)).greaterThan(rateOn(above, day)));
}

/** Refuses a parent that is to be the agent itself or stands below it. */
export async function demandNoCircle(db: Db, id: number, parentId: number | null): Promise<void> {
  if (parentId === null) return;
  const { rows } = await sql`
    with recursive up (id) as (
      select ${parentId}::bigint union select a."parentId" from up join agent a on a.id = up.id where a."parentId" is not null
    ) select from up where id = ${id}`.execute(db);
  if (rows.length > 0) throw new Refusal('agentCircle', { field: 'parentId' });
}

/** So far up goes `agent_chain`: whoever stood higher would get nothing of what is bet below. */
const MOST_LEVELS = 100;

/** Refuses a parent by which more agents would stand one below the other. There is no circle. */
export async function demandFewLevels(db: Db, id: number, parentId: number | null): Promise<void> {
  if (parentId === null) return;
  const { rows } = await sql<{ levels: number }>`
    with recursive up (id, n) as (
      select ${parentId}::bigint, 1
      union all select a."parentId", n + 1 from up join agent a on a.id = up.id where a."parentId" is not null and n < ${MOST_LEVELS}
    ), down (id, n) as (
      select ${id}::bigint, 1
      union all select a.id, n + 1 from down join agent a on a."parentId" = down.id where n < ${MOST_LEVELS}
    )
    select (select max(n) from up) + (select max(n) from down) as levels`.execute(db);
  if ((rows[0]?.levels ?? 0) > MOST_LEVELS)
    throw new Refusal('agentTooDeep', { field: 'parentId', values: { most: MOST_LEVELS } });
}

interface Placed {
  readonly id: number;
  readonly parentId: number | null;
}

/** Refuses rates by which, on any day from `since` on, a child gets more than its parent; the agent may be either. */
export async function demandInOrder(db: Db, { id, parentId }: Placed, since: string): Promise<void> {
  const near = await db
    .selectFrom('agent')
    .select(['id', 'name', 'parentId'])
    .where(sql<SqlBool>`id = ${parentId}::bigint or "parentId" = ${id}`)
    .execute();
  const rates = await ratesOf(db, [id, ...near.map((agent) => agent.id)]);
  const own = rates.get(id) ?? [];
  for (const other of near) {
    const theirs = rates.get(other.id) ?? [];
    const isAbove = other.id === parentId;
    const [below, above] = isAbove ? [own, theirs] : [theirs, own];
    const day = firstDayAbove(below, above, since);
    if (day === undefined) continue;
    const values = { day, name: other.name, rate: rateOn(theirs, day) };
    throw new Refusal(isAbove ? 'agentAboveParent' : 'agentBelowChild', { field: 'rate', values });
  }
}
