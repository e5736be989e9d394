import type { Db } from '#server/db/database.ts';
import { addedWhereFree, changed, removed, rowsExist } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal, wrong } from '#server/refusal.ts';
import * as store from './game-number-store.ts';

/** Odds follow a number to its new name. Rules of selections name it, and would let players choose what the game no longer has. */
async function demandUnchosen(db: Db, id: number): Promise<void> {
  const [held] = await store.heldNumbers(db, [id]);
  if (!held?.playWay) return;
  const message = `号码 ${held.number} 是玩法“${held.playWay}”的可选号码，不能改名`;
  throw wrong('number', message);
}

export const gameNumbersHandlers = handlers({
  listGameNumbersByGame: async ({ db }, { id }) => {
    const numbers = await store.listGameNumbersByGame(db, id);
    if (numbers.length === 0 && !(await rowsExist(db, 'game', [id]))) throw new Refusal('recordNotFound');
    return numbers;
  },

  addGameNumbers: async ({ db }, { gameId, numbers, desc = null }) => {
    const wanted = numbers.map((number) => ({ gameId, number, desc }));
    const made = new Set((await addedWhereFree(db, 'game_number', wanted)).map(({ number }) => number));
    const present = numbers.filter((number) => !made.has(number));
    // Thrown on purpose after the insert: the frame undoes the rest.
    if (present.length > 0)
      throw new Refusal('taken', { field: 'numbers', values: { what: `号码 ${present.join('、')} ` } });
    return made.size;
  },

  updateGameNumber: async ({ db }, { id, version, desc = null, ...fields }) => {
    await changed(db, 'game_number', { id, version }, async ({ number }) => {
      if (fields.number !== number) await demandUnchosen(db, id);
      return { ...fields, desc };
    });
    return id;
  },

  deleteGameNumber: async ({ db }, { id }) => {
    await removed(db, 'game_number', id, async () => {
      const [held] = await store.heldNumbers(db, [id]);
      if (held) throw new Refusal('inUse', { values: { what: store.heldName(held) } });
    });
    return true as const;
  },
});
