import { changed, rowsExist } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { awaitOrdersAndBets, exclude } from '../player-limits/exclusions.ts';
import * as store from './user-store.ts';

export const usersHandlers = handlers({
  pageUsers: ({ db }, filter) => store.pageUsers(db, filter),

  // A player made by an operator has no login account yet, so nothing can be taken but a username.
  addUser: async ({ db }, player) => {
    const { parentId } = player;
    if (parentId !== undefined && !(await rowsExist(db, 'player', [parentId])))
      throw new Refusal('absent', { field: 'parentId', values: { what: '上级用户' } });
    const id = await store.addUser(db, player);
    if (id === undefined) throw new Refusal('taken', { field: 'username', values: { what: '用户名' } });
    return id;
  },

  freezeUser: async ({ db, remark }, { userId: id, reason }) => {
    remark({ targetId: id });
    await changed(db, 'player', { id }, ({ frozen }) => {
      if (frozen) throw new Refusal('alreadyFrozen', { field: 'userId' });
      return { frozen: true, freezeReason: reason };
    });
    await awaitOrdersAndBets(db, id);
    return true as const;
  },
  unfreezeUser: async ({ db, remark }, { userId: id }) => {
    remark({ targetId: id });
    await changed(db, 'player', { id }, ({ frozen }) => {
      if (!frozen) throw new Refusal('notFrozen', { field: 'userId' });
      return { frozen: false, freezeReason: null };
    });
    return true as const;
  },
  excludeUser: async ({ db, remark }, { userId: id, excludedUntil }) => {
    remark({ targetId: id });
    await exclude(db, id, excludedUntil);
    return true as const;
  },
  markTestAccount: async ({ db, remark }, { userId: id, testAccount }) => {
    remark({ targetId: id });
    await changed(db, 'player', { id }, { testAccount });
    return true as const;
  },
});
