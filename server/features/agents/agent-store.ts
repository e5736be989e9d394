import { type SqlBool, sql } from 'kysely';
import type { AgentRate, pageAgents as asked } from '#contract/agents.ts';
import type { Input } from '#contract/endpoint.ts';
import { MOST_AGENT_ID } from '#contract/named-fields.ts';
import type { Db } from '#server/db/database.ts';
import { orderOfFew } from '#server/db/list-order.ts';
import { page } from '#server/db/page.ts';
import { added, changed, type Row } from '#server/db/rows.ts';
import { contains, equals, where } from '#server/db/where.ts';

/** The rates of these agents, the latest first. */
export async function ratesOf(db: Db, ids: readonly number[]): Promise<Map<number, AgentRate[]>> {
  const rows = await db
    .selectFrom('agent_rate')
    .select(['agentId', 'validFrom', 'rate'])
    .where(sql<SqlBool>`"agentId" = any(${[...ids]}::bigint[])`)
    .orderBy('validFrom', 'desc')
    .execute();
  const found = Map.groupBy(rows, ({ agentId }) => agentId);
  return new Map(
    ids.map((id) => [id, (found.get(id) ?? []).map(({ validFrom, rate }) => ({ validFrom, rate }))]),
  );
}

/** Agents as they are shown: with the rate that was said last, and all before it. */
export async function withRates(db: Db, agents: readonly Row<'agent'>[]) {
  const rates = await ratesOf(
    db,
    agents.map(({ id }) => id),
  );
  return agents.map((agent) => {
    const own = rates.get(agent.id) ?? [];
    const [latest] = own;
    if (!latest) throw new Error(`agent ${agent.id} has no rate`);
    return { ...agent, ...latest, rates: own };
  });
}

/** A page of agents, the newest first. */
export async function pageAgents(db: Db, filter: Input<typeof asked>) {
  const ways = { id: equals, name: contains, parentId: equals, userId: equals };
  const { totalCount, data } = await page(
    db,
    db.selectFrom('agent').selectAll().where(where(filter, ways)),
    filter,
    orderOfFew(filter.sort, { words: ['name'] }),
  );
  return { totalCount, data: await withRates(db, data) };
}

/** Until the transaction ends nobody else changes agents or their rates: rules span several of them. */
export const holdAgents = (db: Db) =>
  sql`lock table agent, agent_rate in share row exclusive mode`.execute(db);

/**
 * The number after the greatest that is followed by a free one: that no agent has and no player refers to. What versions before 0.19 let be
 * given beyond `MOST_AGENT_ID` says nothing.
 */
export async function nextAgentId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id + 1 as id from (
      select id from agent where id < ${MOST_AGENT_ID} union all select "agentId" from player where "agentId" < ${MOST_AGENT_ID}) as used (id)
    where not exists (select from agent a where a.id = used.id + 1) and not exists (select from player p where p."agentId" = used.id + 1)
    order by 1 desc limit 1`.execute(db);
  return rows[0]?.id ?? 1;
}

/** Says a rate from a day on, in place of what was said from that same day. */
export async function setRate(db: Db, agentId: number, { validFrom, rate }: AgentRate): Promise<void> {
  const known = await db
    .selectFrom('agent_rate')
    .select('id')
    .where('agentId', '=', agentId)
    .where('validFrom', '=', validFrom)
    .executeTakeFirst();
  if (known) await changed(db, 'agent_rate', { id: known.id }, { rate });
  else await added(db, 'agent_rate', { agentId, validFrom, rate });
}
