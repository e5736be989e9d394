import { z } from 'zod';
import { query } from './endpoint.ts';
import { dateTime, money, nothing, text } from './fields.ts';
import { Game } from './games.ts';
import { gameId, phase, stopped } from './named-fields.ts';
import { PlayWay } from './play-ways.ts';
import { OddsOfNumber } from './slips.ts';

/** What its calls stand under in the API document. */
export const heading = '平台目录';

// What can be bet on, for the players' site under /open/v1. Answers carry an ETag; one that is still true is answered with 304.

/** A game as the players' site shows it. */
export const CatalogueGame = Game.pick({
  id: true,
  name: true,
  categoryId: true,
  phase: true,
  status: true,
  betStatus: true,
  openRate: true,
  stopBetSecond: true,
  introduce: true,
  resultRule: true,
});
export type CatalogueGame = z.infer<typeof CatalogueGame>;

export const listCatalogueGames = query('GET /games', {
  summary: '平台查询游戏',
  body: 'none',
  input: nothing,
  output: z.array(CatalogueGame),
  access: 'platform',
  revalidated: true,
});

const startTime = dateTime('投注时间');
const endTime = dateTime('开奖时间');

/** The phase that takes bets now, null while none does, and the one that begins next. `closeTime` stays what it is once betting has begun. */
export const CurrentPhase = z.object({
  serverTime: dateTime('服务器时间'),
  phase: phase.nullable(),
  startTime: startTime.nullable(),
  closeTime: dateTime('封盘时间').nullable(),
  endTime: endTime.nullable(),
  next: z.object({ phase, startTime, endTime }).nullable(),
});
export type CurrentPhase = z.infer<typeof CurrentPhase>;

export const getCurrentPhase = query('GET /games/{id}/current', {
  summary: '平台查询当前期',
  body: 'none',
  input: z.object({ id: gameId }),
  output: CurrentPhase,
  access: 'platform',
  revalidated: true,
});

/** A way to bet with its odds as they are now: of numbers, or of what a unit can win. A limit that is null is none. */
export const CataloguePlayWay = PlayWay.pick({
  id: true,
  name: true,
  selection: true,
  oddsFrom: true,
}).extend({
  categoryName: text('玩法分类'),
  subCategoryName: text('玩法子分类'),
  stopped,
  odds: z.array(OddsOfNumber.extend({ stopped })),
  limits: z.object({
    minStake: money('最低单注').nullable(),
    maxStake: money('最高单注').nullable(),
    maxLineStake: money('最高注项金额').nullable(),
    payoutCap: money('单注派彩上限').nullable(),
  }),
});
export type CataloguePlayWay = z.infer<typeof CataloguePlayWay>;

export const listCataloguePlayWays = query('GET /games/{id}/playWays', {
  summary: '平台查询玩法与赔率',
  body: 'none',
  input: z.object({ id: gameId }),
  output: z.array(CataloguePlayWay),
  access: 'platform',
  revalidated: true,
});
