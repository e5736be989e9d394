import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findGame } from '../games/game-store.ts';
import { pageAwaitedAgreements } from './agreement.ts';
import * as store from './draw-record-store.ts';
import { enterResult } from './enter-result.ts';
import { isSampleDraw } from './sample-source.ts';
import { withWinners } from './winners.ts';

export const drawRecordsHandlers = handlers({
  pageDrawRecords: async ({ db }, filter) => withWinners(db, await store.pageDrawRecords(db, filter)),
  pageGameRecords: async ({ db }, { id, ...filter }) => {
    if (!(await findGame(db, id))) throw new Refusal('recordNotFound');
    return withWinners(db, await store.pageDrawRecords(db, { ...filter, gameId: id }));
  },

  pageAwaitedAgreements: ({ db }, filter) => pageAwaitedAgreements(db, filter),

  verifyDraw: async ({ db }, { gameId, phase }) => {
    const draw = await store.findVerification(db, gameId, phase);
    if (draw) return draw;
    throw new Refusal((await isSampleDraw(db, gameId, phase)) ? 'drawIsSample' : 'recordNotFound');
  },

  enterDrawRecord: async ({ db, operator, remark }, entered) => {
    await enterResult(db, entered, operator);
    const { gameId, phase, result, evidence } = entered;
    remark({ after: { gameId, phase, result, evidence } });
    return true as const;
  },
});
