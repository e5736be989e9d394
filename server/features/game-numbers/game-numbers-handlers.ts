import { added, changed, removed } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import * as store from './game-number-store.ts';

export const gameNumbersHandlers = handlers({
  pageGameNumbers: ({ db }, filter) => store.pageGameNumbers(db, filter),
  listGameNumbersByGame: ({ db }, { id }) => store.listGameNumbers(db, id),

  addGameNumber: async ({ db }, { desc = null, ...fields }) =>
    (await added(db, 'game_number', { ...fields, desc })).id,

  updateGameNumber: async ({ db }, { id, version, desc = null, ...fields }) => {
    await changed(db, 'game_number', { id, version }, { ...fields, desc });
    return id;
  },

  deleteGameNumber: async ({ db }, { id }) => {
    await removed(db, 'game_number', id, async ({ number }) => {
      if ((await store.numbersWithOdds(db, [id])).length > 0)
        throw new Refusal('inUse', { values: { what: `号码 ${number} ` } });
    });
    return true as const;
  },
});
