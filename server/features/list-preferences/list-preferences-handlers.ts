import { listRoles } from '#contract/roles.ts';
import { added, locked, removed } from '#server/db/rows.ts';
import { type Context, handlers, ownTransactions } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import * as store from './list-preference-store.ts';

/** Of one operator; those that are shared are told to all of a role whenever their console starts. */
const MOST_VIEWS = 100;

const rolesOf = ({ db, operator }: Context) =>
  store.rolesToShareWith(db, operator.id, operator.may(listRoles));

export const listPreferencesHandlers = handlers({
  listPreferences: async (context) => ({
    layouts: await store.findLayouts(context.db, context.operator.id),
    views: await store.findViews(context.db, context.operator.id),
    roles: await rolesOf(context),
  }),

  // How wide somebody has a column is no change that anybody would look up.
  saveListLayout: ownTransactions(
    async ({ db, operator }, input) => {
      await store.keepLayout(db, operator.id, input);
      return true as const;
    },
    { recorded: false },
  ),

  startListView: ownTransactions(
    ({ db, operator }, { screen, id }) =>
      db.transaction().execute(async (tx) => {
        if (!(await store.keepStart(tx, operator.id, screen, id))) throw new Refusal('recordNotFound');
        return true as const;
      }),
    { recorded: false },
  ),

  addListView: async (context, { screen, name, address, roleId = null }) => {
    const { db, operator } = context;
    if (roleId !== null && !(await rolesOf(context)).some(({ id }) => id === roleId))
      throw new Refusal('notOwnRole', { field: 'roleId' });
    const view = { operatorId: operator.id, screen, name, address, roleId };
    // One after another: two tabs may save under one name, which is one view, and each alone might still be within the limit.
    await locked(db, 'operator', operator.id);
    const former = await store.replaceView(db, view);
    if (!former) {
      if ((await store.countOwnViews(db, operator.id)) >= MOST_VIEWS)
        throw new Refusal('viewsTooMany', { values: { most: MOST_VIEWS } });
      return (await added(db, 'list_view', view)).id;
    }
    context.remark({ targetId: former.id, before: former, after: view });
    return former.id;
  },

  deleteListView: async ({ db, operator }, { id }) => {
    await removed(db, 'list_view', id, (view) => {
      if (view.operatorId !== operator.id) throw new Refusal('recordNotFound');
    });
    return true as const;
  },
});
