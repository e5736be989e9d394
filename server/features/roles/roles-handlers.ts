import { sql } from 'kysely';
import { menuIdsOfRoles } from '#server/access/access-store.ts';
import {
  demandFullRightsRemain,
  demandHeld,
  demandRankOverRole,
  demandSeen,
} from '#server/access/grant-rules.ts';
import { added, changed, locked, removed, rowsExist } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import * as store from './role-store.ts';

// Whatever changes who may do what takes its place in line first.
export const rolesHandlers = handlers({
  listRoles: ({ db, operator }, filter) => store.listRoles(db, filter, operator),

  copyRole: async ({ db, operator, remark }, { id, ...fields }) => {
    await locked(db, 'role', id);
    const menuIds = await menuIdsOfRoles(db, [id]);
    demandHeld(operator, menuIds);
    const copy = await added(db, 'role', fields);
    await store.replaceMenus(db, copy.id, menuIds);
    remark({ targetId: copy.id, after: { ...fields, copyOf: id, menuIds } });
    return copy.id;
  },

  updateRole: async ({ db, operator, accessChanged }, { id, version, ...fields }) => {
    await accessChanged({ roleIds: [id] });
    await changed(db, 'role', { id, version }, async () => {
      await demandRankOverRole(db, operator, id);
      return { ...fields, editDate: sql`now()` };
    });
    return id;
  },

  deleteRole: async ({ db, operator, accessChanged }, { id }) => {
    await accessChanged({ roleIds: [id] });
    await removed(db, 'role', id, async () => {
      await demandRankOverRole(db, operator, id);
      if (await store.hasOperators(db, id)) throw new Refusal('inUse', { values: { what: '角色' } });
    });
    await demandFullRightsRemain(db);
    return true as const;
  },

  bindRoleMenus: async ({ db, operator, remark, accessChanged }, { rid, menuIds, seen }) => {
    await accessChanged({ roleIds: [rid] });
    await locked(db, 'role', rid);
    await demandRankOverRole(db, operator, rid);
    const wanted = [...new Set(menuIds)];
    if (!(await rowsExist(db, 'menu', wanted))) throw new Refusal('recordNotFound');
    demandHeld(operator, wanted);
    const before = await menuIdsOfRoles(db, [rid]);
    demandSeen(seen, before, 'menuIds');
    await store.replaceMenus(db, rid, wanted);
    await demandFullRightsRemain(db);
    remark({ before, after: wanted });
    return true as const;
  },
});
