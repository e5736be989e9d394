import type { Db } from '#server/db/database.ts';
import { added, changed, removed } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findBetLatitude } from '../bet-latitudes/bet-latitude-store.ts';
import { findPlayWayCategory } from '../play-way-categories/play-way-category-store.ts';
import * as store from './play-way-store.ts';

const wrong = (field: string, message: string) => new Refusal('invalid', { field, values: { message } });

/** The game that sub-category and latitude both belong to. */
async function demandOneGame(db: Db, subCategoryId: number, betLatitudeId: number): Promise<number> {
  const subCategory = await findPlayWayCategory(db, subCategoryId);
  if (!subCategory || subCategory.parentCategoryId === null) throw wrong('subCategoryId', '玩法子分类不存在');
  const latitude = await findBetLatitude(db, betLatitudeId);
  if (latitude?.gameId !== subCategory.gameId) throw wrong('betLatitudeId', '该游戏没有这个投注维度');
  return subCategory.gameId;
}

export const playWaysHandlers = handlers({
  pagePlayWays: ({ db }, filter) => store.pagePlayWays(db, filter),

  addPlayWay: async ({ db }, { showRate = null, ...fields }) => {
    const gameId = await demandOneGame(db, fields.subCategoryId, fields.betLatitudeId);
    return (await added(db, 'play_way', { ...fields, gameId, showRate })).id;
  },

  updatePlayWay: async ({ db }, { id, version, showRate = null, ...fields }) => {
    await changed(db, 'play_way', { id, version }, async (before) => {
      const subCategoryId = fields.subCategoryId ?? before.subCategoryId;
      const gameId = await demandOneGame(db, subCategoryId, fields.betLatitudeId);
      if (gameId !== before.gameId) throw wrong('subCategoryId', '不能移到另一个游戏');
      return { ...fields, subCategoryId, showRate };
    });
    return id;
  },

  deletePlayWay: async ({ db }, { id }) => {
    await removed(db, 'play_way', id);
    return true as const;
  },
});
