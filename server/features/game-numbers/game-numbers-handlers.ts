import type { Db } from '#server/db/database.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { demandGame } from '../games/game-rules.ts';
import * as store from './game-number-store.ts';

async function target(db: Db, id: number) {
  const number = await store.findGameNumber(db, id);
  if (!number) throw new Refusal('recordNotFound');
  return number;
}

const numberTaken = (number: string) =>
  new Refusal('taken', { field: 'number', values: { what: `号码 ${number} ` } });

export const gameNumbersHandlers = handlers({
  pageGameNumbers: ({ db }, filter) => store.pageGameNumbers(db, filter),
  listGameNumbersByGame: ({ db }, { id }) => store.listGameNumbers(db, id),

  addGameNumber: async ({ db, remark }, { gameId, ...fields }) => {
    await demandGame(db, gameId);
    const id = await store.insertGameNumber(db, gameId, fields);
    if (id === undefined) throw numberTaken(fields.number);
    remark({ targetId: id, after: { id, gameId, ...fields } });
    return id;
  },

  updateGameNumber: async ({ db, remark }, { id, ...fields }) => {
    const before = await target(db, id);
    if (await store.isNumberTaken(db, { ...before, number: fields.number })) throw numberTaken(fields.number);
    await store.updateGameNumber(db, id, fields);
    remark({ before, after: { ...before, ...fields } });
    return id;
  },

  deleteGameNumber: async ({ db, remark }, { id }) => {
    const before = await target(db, id);
    if ((await store.numbersWithOdds(db, [id])).length > 0)
      throw new Refusal('inUse', { values: { what: `号码 ${before.number} ` } });
    await store.deleteGameNumbers(db, [id]);
    remark({ before });
    return true as const;
  },
});
