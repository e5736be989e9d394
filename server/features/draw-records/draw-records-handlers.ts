import type { pageDrawRecords } from '#contract/draw-records.ts';
import type { Input } from '#contract/endpoint.ts';
import { type Context, handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findGame } from '../games/game-store.ts';
import { pageAwaitedAgreements } from './agreement.ts';
import * as store from './draw-record-store.ts';
import { enterResult } from './enter-result.ts';
import { inLine } from './long-pages.ts';
import { isSampleDraw } from './sample-source.ts';
import { withWinners } from './winners.ts';

/** A page with what won, which is worked out row by row. */
const pageOf = ({ db, operator }: Context, filter: Input<typeof pageDrawRecords>) =>
  inLine(operator.id, filter.pageSize, async () => withWinners(db, await store.pageDrawRecords(db, filter)));

export const drawRecordsHandlers = handlers({
  pageDrawRecords: pageOf,
  pageGameRecords: async (context, { id, ...filter }) => {
    if (!(await findGame(context.db, id))) throw new Refusal('recordNotFound');
    return pageOf(context, { ...filter, gameId: id });
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
