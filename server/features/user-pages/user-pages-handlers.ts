import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { pinnedNotes } from '../user-notes/user-note-store.ts';
import { findPlayer } from './user-page-store.ts';
import { waitingWithdrawals } from './waiting-withdrawals.ts';

export const userPagesHandlers = handlers({
  getUserPage: async ({ db, operator }, { id }) => {
    const found = await findPlayer(db, id);
    if (!found) throw new Refusal('absent', { field: 'id', values: { what: '用户' } });
    const [waiting, pinned] = await Promise.all([
      waitingWithdrawals(db, found.user, found.account),
      pinnedNotes(db, operator, id),
    ]);
    return { ...found, ...waiting, pinned };
  },
});
