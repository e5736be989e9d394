import { type Context, handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { menuIdsOfRoles } from '../access/access-store.ts';
import { demandFullRightsRemain, demandHeld, demandRankOverRole } from '../access/grant-rules.ts';
import { existingMenuIds } from '../menus/menu-store.ts';
import * as store from './role-store.ts';

/** Takes the place in line, and gives the role meant when the caller may touch it. */
async function target(context: Context, id: number) {
  await context.accessChanged();
  const role = await store.findRole(context.db, id);
  if (!role) throw new Refusal('recordNotFound');
  await demandRankOverRole(context.db, context.operator, id);
  return role;
}

const nameTaken = () => new Refusal('taken', { field: 'name', values: { what: '角色标识' } });

export const rolesHandlers = handlers({
  listRoles: ({ db }, filter) => store.listRoles(db, filter),

  addRole: async ({ db, remark }, { desc, name }) => {
    const id = await store.insertRole(db, { desc, name });
    if (id === undefined) throw nameTaken();
    remark({ targetId: id, after: { id, desc, name } });
    return id;
  },

  updateRole: async (context, { id, desc, name }) => {
    const before = await target(context, id);
    if (await store.isNameTaken(context.db, name, id)) throw nameTaken();
    await store.updateRole(context.db, id, { desc, name });
    context.remark({ before, after: { id, desc, name } });
    return id;
  },

  deleteRole: async (context, { id }) => {
    const before = await target(context, id);
    if (await store.hasOperators(context.db, id)) throw new Refusal('inUse', { values: { what: '角色' } });
    await store.deleteRole(context.db, id);
    await demandFullRightsRemain(context.db);
    context.remark({ before });
    return true as const;
  },

  bindRoleMenus: async (context, { rid, menuIds }) => {
    await target(context, rid);
    const wanted = [...new Set(menuIds)];
    if ((await existingMenuIds(context.db, wanted)).length !== wanted.length)
      throw new Refusal('recordNotFound');
    demandHeld(context.operator, wanted);
    const before = await menuIdsOfRoles(context.db, [rid]);
    await store.replaceMenus(context.db, rid, wanted);
    await demandFullRightsRemain(context.db);
    context.remark({ targetId: rid, before, after: wanted });
    return true as const;
  },
});
