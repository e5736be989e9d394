import { handlers } from '#server/http/handler.ts';
import * as store from './user-store.ts';

export const usersHandlers = handlers({
  pageUsers: ({ db }, filter) => store.pagePlayers(db, filter),

  // A player made by an operator has no login account yet, so nothing can be taken.
  addUser: async ({ db, remark }, { nickName }) => {
    const id = await store.insertPlayer(db, { nickName });
    if (id === undefined) throw new Error('a player without a username was in the way of another');
    remark({ targetId: id, after: { id, nickName } });
    return id;
  },
});
