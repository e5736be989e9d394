import { Decimal } from 'decimal.js';
import type { AgentRate } from '#contract/agents.ts';
import type { Db } from '#server/db/database.ts';
import { added, changed, type Row } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { demandOpenDay, firstOpenDay } from '../rebates/open-days.ts';
import { demandFewLevels, demandInOrder, demandNoCircle } from './agent-rules.ts';
import * as store from './agent-store.ts';

/** Says a rate from a day on, unless that is what is said already. */
async function say(db: Db, id: number, rate: AgentRate): Promise<void> {
  const known = (await store.ratesOf(db, [id])).get(id) ?? [];
  const isSaid = known.some(
    (each) => each.validFrom === rate.validFrom && new Decimal(each.rate).equals(rate.rate),
  );
  if (!isSaid) await demandOpenDay(db, rate.validFrom);
  await store.setRate(db, id, rate);
}

export const agentsHandlers = handlers({
  pageAgents: ({ db }, filter) => store.pageAgents(db, filter),

  addAgent: async ({ db }, { id: wanted, name, parentId = null, userId, ...rate }) => {
    await store.holdAgents(db);
    const id = wanted ?? (await store.nextAgentId(db));
    await demandNoCircle(db, id, parentId);
    await demandFewLevels(db, id, parentId);
    await added(db, 'agent', { id, name, parentId, userId });
    await say(db, id, rate);
    await demandInOrder(db, { id, parentId }, await firstOpenDay(db));
    return id;
  },

  updateAgent: async ({ db }, { id, version, name, parentId = null, userId, ...rate }) => {
    await store.holdAgents(db);
    await demandNoCircle(db, id, parentId);
    const place = async (before: Row<'agent'>) => {
      // Who stood deeper before that was refused can still be edited in place.
      if (before.parentId !== parentId) await demandFewLevels(db, id, parentId);
      return { name, parentId, userId };
    };
    await changed(db, 'agent', { id, version }, place, async (row) => ({
      ...row,
      ...(await store.withRates(db, [row]))[0],
    }));
    await say(db, id, rate);
    await demandInOrder(db, { id, parentId }, await firstOpenDay(db));
    return id;
  },
});
