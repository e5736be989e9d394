import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findBetLatitude, findReadGame } from '../bet-latitudes/bet-latitude-store.ts';
import { demandReadable, demandWholeResult } from '../bet-latitudes/latitude-rules.ts';
import { sandboxOf } from './sandbox.ts';

export const ruleSandboxHandlers = handlers({
  tryRules: async ({ db }, wanted) => {
    const game = await findReadGame(db, wanted.gameId);
    if (!game) throw new Refusal('absent', { field: 'gameId', values: { what: '游戏' } });
    const latitude = await findBetLatitude(db, wanted.id);
    if (latitude?.gameId !== wanted.gameId)
      throw new Refusal('absent', { field: 'id', values: { what: '投注维度' } });
    const handler = demandReadable(wanted, game.resultRule);
    if (wanted.result !== undefined) demandWholeResult(game.resultRule, wanted.result);
    return sandboxOf(db, wanted, handler);
  },
});
