import { added, addedWhereFree, changed, removed } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import * as store from './game-number-store.ts';

export const gameNumbersHandlers = handlers({
  pageGameNumbers: ({ db }, filter) => store.pageGameNumbers(db, filter),
  listGameNumbersByGame: ({ db }, { id }) => store.listGameNumbers(db, id),

  addGameNumber: async ({ db }, { desc = null, ...fields }) =>
    (await added(db, 'game_number', { ...fields, desc })).id,

  addGameNumbers: async ({ db, remark }, { gameId, numbers, desc = null }) => {
    remark({ targetId: gameId });
    const wanted = numbers.map((number) => ({ gameId, number, desc }));
    const made = new Set((await addedWhereFree(db, 'game_number', wanted)).map(({ number }) => number));
    const present = numbers.filter((number) => !made.has(number));
    // Thrown on purpose after the insert: the frame undoes the rest.
    if (present.length > 0)
      throw new Refusal('taken', { field: 'numbers', values: { what: `号码 ${present.join('、')} ` } });
    return made.size;
  },

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
