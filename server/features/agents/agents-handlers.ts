import { added, changed } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { demandInOrder, demandNoCircle } from './agent-rules.ts';
import * as store from './agent-store.ts';

/** Every day can still have another rate. */
const FIRST_DAY = '0001-01-01';

export const agentsHandlers = handlers({
  pageAgents: ({ db }, filter) => store.pageAgents(db, filter),

  addAgent: async ({ db }, { id: wanted, name, parentId = null, userId, ...rate }) => {
    await store.holdAgents(db);
    const id = wanted ?? (await store.nextAgentId(db));
    await added(db, 'agent', { id, name, parentId, userId });
    await store.setRate(db, id, rate);
    await demandNoCircle(db, id, parentId);
    await demandInOrder(db, { id, parentId }, FIRST_DAY);
    return id;
  },

  updateAgent: async ({ db }, { id, version, name, parentId = null, userId, ...rate }) => {
    await store.holdAgents(db);
    await changed(db, 'agent', { id, version }, { name, parentId, userId }, async (row) => ({
      ...row,
      ...(await store.withRates(db, [row]))[0],
    }));
    await store.setRate(db, id, rate);
    await demandNoCircle(db, id, parentId);
    await demandInOrder(db, { id, parentId }, FIRST_DAY);
    return id;
  },
});
