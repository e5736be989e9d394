import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findGame } from '../games/game-store.ts';
import { resultRuleOf } from '../games/result-rule.ts';
import { pageAwaited } from './agreement.ts';
import * as store from './draw-record-store.ts';
import { enterResult } from './enter-result.ts';
import { isSameResult } from './same-result.ts';
import { isSampleDraw } from './sample-source.ts';
import { withWinners } from './winners.ts';

export const drawRecordsHandlers = handlers({
  pageDrawRecords: async ({ db }, filter) => withWinners(db, await store.pageDrawRecords(db, filter)),
  pageGameRecords: async ({ db }, { id, ...filter }) => {
    if (!(await findGame(db, id))) throw new Refusal('recordNotFound');
    return withWinners(db, await store.pageDrawRecords(db, { ...filter, gameId: id }));
  },

  pageAwaitedAgreements: ({ db }, filter) => pageAwaited(db, filter),

  verifyDraw: async ({ db }, { gameId, phase }) => {
    const draw = await store.findVerification(db, gameId, phase);
    if (draw) return draw;
    throw new Refusal((await isSampleDraw(db, gameId, phase)) ? 'drawIsSample' : 'recordNotFound');
  },

  resolveDrawRecord: async ({ db, operator, remark }, { id, result, reason }) => {
    const record = await store.lockRecord(db, id);
    if (!record) throw new Refusal('recordNotFound');
    const rule = await resultRuleOf(db, record.gameId);
    // Nobody makes a result up: it is one that a source gave.
    const chosen = [record, ...record.claims].find((said) => isSameResult(said.result, result, rule));
    if (chosen === undefined) throw new Refusal('conflictMissing', { field: 'result' });
    if (record.seed !== null && chosen !== record) throw new Refusal('localDrawFixed', { field: 'result' });
    await store.correctRecord(db, {
      recordId: id,
      operatorId: operator.id,
      userName: operator.userName,
      oldResult: record.result,
      newResult: chosen.result,
      source: chosen.source,
      reason,
    });
    const [before, after] = [record, chosen].map((each) => ({ result: each.result, source: each.source }));
    remark({ before, after });
    return true as const;
  },

  enterDrawRecord: async ({ db, operator, remark }, entered) => {
    await enterResult(db, entered, operator);
    const { gameId, phase, result, evidence } = entered;
    remark({ after: { gameId, phase, result, evidence } });
    return true as const;
  },
});
