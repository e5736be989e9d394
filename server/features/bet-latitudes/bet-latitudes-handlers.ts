import type { ResultRule } from '#contract/result-rules.ts';
import type { Db } from '#server/db/database.ts';
import { added, changed } from '#server/db/rows.ts';
import { type Context, handlers } from '#server/http/handler.ts';
import { dayOf } from '#server/platform-days.ts';
import { Refusal } from '#server/refusal.ts';
import { findPlayWayCategory } from '../play-way-categories/play-way-category-store.ts';
import { optionFieldsOf } from '../result-handlers/option-fields.ts';
import { resultHandlers } from '../result-handlers/registry.ts';
import type { ReadableLatitude } from '../result-handlers/winning-numbers.ts';
import * as store from './bet-latitude-store.ts';
import { previewBetLatitude } from './latitude-preview.ts';
import { demandReadable, demandWholeResult } from './latitude-rules.ts';
import { demandStillJudges } from './still-judges.ts';

/** A result that nobody drew, of today. Refused where it has not as many numbers as one of the game. */
function typedResult({ now, config }: Context, rule: ResultRule | null, result: string) {
  demandWholeResult(rule, result);
  return { phase: '试算', result, openTime: `${dayOf(now.getTime() / 1000, config.timeZone)} 00:00:00` };
}

/** The handler of a latitude that reads results of this game, whose rule stays until the transaction ends. */
const readableIn = async (db: Db, gameId: number, latitude: ReadableLatitude) =>
  demandReadable(latitude, (await store.holdReadGame(db, gameId))?.resultRule ?? null);

export const betLatitudesHandlers = handlers({
  listBetLatitudesByPlayWayCategory: async ({ db }, { id }) => {
    const category = await findPlayWayCategory(db, id);
    if (!category) throw new Refusal('recordNotFound');
    return store.listBetLatitudes(db, category.gameId);
  },

  listResultHandlers: () =>
    resultHandlers.map(({ name, title, version, sentence, options }) => ({
      ...{ name, title, version, sentence },
      options: optionFieldsOf(options),
    })),

  previewBetLatitude: async (context, { gameId, id, last, result, ...latitude }) => {
    const { db } = context;
    const game = await store.findReadGame(db, gameId);
    if (!game) throw new Refusal('absent', { field: 'gameId', values: { what: '游戏' } });
    demandReadable(latitude, game.resultRule);
    const results =
      result === undefined
        ? await store.latestResults(db, gameId, last)
        : [typedResult(context, game.resultRule, result)];
    // Nothing is bet yet on one that is being made.
    const bettable =
      id === undefined ? { numbers: [], selections: [] } : (await store.bettableOf(db, [id]))(id);
    return results.map((drawn) => previewBetLatitude(latitude, bettable, drawn));
  },

  addBetLatitude: async ({ db }, { handlerOptions = null, ...fields }) => {
    const { name: resultHandlerName } = await readableIn(db, fields.gameId, { ...fields, handlerOptions });
    return (await added(db, 'bet_latitude', { ...fields, resultHandlerName, handlerOptions })).id;
  },

  updateBetLatitude: async ({ db, now, config }, { id, version, handlerOptions = null, ...fields }) => {
    const today = dayOf(now.getTime() / 1000, config.timeZone);
    await changed(db, 'bet_latitude', { id, version }, async (before) => {
      const { name: resultHandlerName } = await readableIn(db, before.gameId, { ...fields, handlerOptions });
      const after = { ...fields, resultHandlerName, handlerOptions };
      await demandStillJudges(db, before, { ...before, ...after }, today);
      return after;
    });
    return id;
  },
});
