import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { findGameCategory } from '../game-categories/game-category-store.ts';
import { findOverlap, rangeText, type TimeRange } from './bet-time-ranges.ts';
import { findGame } from './game-store.ts';

/** The game of a row that is to be added under it. */
export async function demandGame(db: Db, gameId: number) {
  const game = await findGame(db, gameId);
  if (!game) throw new Refusal('invalid', { field: 'gameId', values: { message: '游戏不存在' } });
  return game;
}

export async function demandCategory(db: Db, categoryId: number): Promise<void> {
  if (await findGameCategory(db, categoryId)) return;
  throw new Refusal('invalid', { field: 'categoryId', values: { message: '游戏分类不存在' } });
}

/** Refuses ranges of one game that share a moment, or whose draws come before betting could open. */
export function demandRangesFit(ranges: readonly TimeRange[], stopBetSecond: number, field: string): void {
  const overlap = findOverlap(ranges);
  if (overlap) {
    const [one, other] = overlap;
    throw new Refusal('betTimeOverlap', {
      field,
      values: { range: rangeText(one), other: rangeText(other) },
    });
  }
  const tooFast = ranges.find(({ openRate }) => openRate && openRate <= stopBetSecond);
  if (tooFast)
    throw new Refusal('betTimeTooFast', { field, values: { range: rangeText(tooFast), stopBetSecond } });
}
