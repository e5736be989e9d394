import type { Db } from '#server/db/database.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findBetLatitude } from '../bet-latitudes/bet-latitude-store.ts';
import { findPlayWayCategory } from '../play-way-categories/play-way-category-store.ts';
import * as store from './play-way-store.ts';

const wrong = (field: string, message: string) => new Refusal('invalid', { field, values: { message } });
const nameTaken = () => new Refusal('taken', { field: 'name', values: { what: '玩法名称' } });

async function target(db: Db, id: number) {
  const playWay = await store.findPlayWay(db, id);
  if (!playWay) throw new Refusal('recordNotFound');
  return playWay;
}

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

  addPlayWay: async ({ db, remark }, { showRate = null, ...fields }) => {
    const gameId = await demandOneGame(db, fields.subCategoryId, fields.betLatitudeId);
    const id = await store.insertPlayWay(db, { ...fields, gameId, showRate });
    if (id === undefined) throw nameTaken();
    remark({ targetId: id, after: { id, gameId, ...fields, showRate } });
    return id;
  },

  updatePlayWay: async ({ db, remark }, { showRate = null, subCategoryId, ...fields }) => {
    const before = await target(db, fields.id);
    const after = { ...before, ...fields, showRate, subCategoryId: subCategoryId ?? before.subCategoryId };
    const gameId = await demandOneGame(db, after.subCategoryId, after.betLatitudeId);
    if (gameId !== before.gameId) throw wrong('subCategoryId', '不能移到另一个游戏');
    if (await store.isPlayWayNameTaken(db, after)) throw nameTaken();
    await store.updatePlayWay(db, after);
    remark({ before, after });
    return fields.id;
  },

  deletePlayWay: async ({ db, remark }, { id }) => {
    const before = await target(db, id);
    await store.deletePlayWay(db, id);
    remark({ before });
    return true as const;
  },
});
