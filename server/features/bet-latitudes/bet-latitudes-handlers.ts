import type { Db } from '#server/db/database.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { demandGame } from '../games/game-rules.ts';
import { findPlayWayCategory } from '../play-way-categories/play-way-category-store.ts';
import { resultHandlers } from '../result-handlers/registry.ts';
import * as store from './bet-latitude-store.ts';
import { demandReadable } from './latitude-rules.ts';
import { previewOf } from './preview.ts';

const RESULTS_SHOWN = 10;

async function target(db: Db, id: number) {
  const latitude = await store.findBetLatitude(db, id);
  if (!latitude) throw new Refusal('recordNotFound');
  return latitude;
}

const nameTaken = () => new Refusal('taken', { field: 'name', values: { what: '投注维度名称' } });

export const betLatitudesHandlers = handlers({
  pageBetLatitudes: ({ db }, filter) => store.pageBetLatitudes(db, filter),

  listBetLatitudesByPlayWayCategory: async ({ db }, { id }) => {
    const category = await findPlayWayCategory(db, id);
    return category ? store.listBetLatitudes(db, category.gameId) : [];
  },

  listResultHandlers: () => resultHandlers.map(({ name, title, sentence }) => ({ name, title, sentence })),

  previewBetLatitude: async ({ db }, { gameId, id, ...latitude }) => {
    await demandGame(db, gameId);
    demandReadable(latitude);
    const results = await store.latestResults(db, gameId, RESULTS_SHOWN);
    const bettable = (await store.bettableOf(db, id === undefined ? [] : [id]))(id ?? 0);
    return results.map((drawn) => previewOf(latitude, bettable, drawn));
  },

  addBetLatitude: async ({ db, remark }, { handlerOptions = null, ...fields }) => {
    await demandGame(db, fields.gameId);
    const { name } = demandReadable({ ...fields, handlerOptions });
    const latitude = { ...fields, resultHandlerName: name, handlerOptions };
    const id = await store.insertBetLatitude(db, latitude);
    if (id === undefined) throw nameTaken();
    remark({ targetId: id, after: { id, ...latitude } });
    return id;
  },

  updateBetLatitude: async ({ db, remark }, { id, handlerOptions = null, ...fields }) => {
    const before = await target(db, id);
    const { name } = demandReadable({ ...fields, handlerOptions });
    if (await store.isLatitudeNameTaken(db, before.gameId, fields.name, id)) throw nameTaken();
    const changes = { ...fields, resultHandlerName: name, handlerOptions };
    await store.updateBetLatitude(db, id, changes);
    remark({ before, after: { ...before, ...changes } });
    return id;
  },

  deleteBetLatitude: async ({ db, remark }, { id }) => {
    const before = await target(db, id);
    if (await store.hasPlayWays(db, id)) throw new Refusal('inUse', { values: { what: '投注维度' } });
    await store.deleteBetLatitude(db, id);
    remark({ before });
    return true as const;
  },
});
