import { sql } from 'kysely';
import { added, changed } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import * as store from './user-note-store.ts';

export const userNotesHandlers = handlers({
  pageUserNotes: ({ db, operator }, filter) => store.pageUserNotes(db, operator, filter),

  addUserNote: async ({ db, operator }, note) => {
    const { id } = await added(db, 'user_note', {
      ...note,
      ...{ authorId: operator.id, author: operator.userName },
    });
    return id;
  },

  updateUserNote: async ({ db, operator }, { id, version, note }) => {
    const rewrite = ({ authorId }: { authorId: number | null }) => {
      if (authorId !== operator.id) throw new Refusal('noteOfAnother');
      return { note, editTime: sql`now()` };
    };
    await changed(db, 'user_note', { id, version }, rewrite, (row) => store.shownTo(operator, row));
    return id;
  },

  pinUserNote: async ({ db }, { id, pinned }) => {
    await changed(db, 'user_note', { id }, { pinned });
    return true as const;
  },
});
