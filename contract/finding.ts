import { z } from 'zod';
import { query } from './endpoint.ts';
import { choice, id, text } from './fields.ts';
import { gameId } from './named-fields.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '查找';

/** Names stand in them too, which may be words of the server elsewhere. */
const words = 'contract/finding.ts';

/** What is found by a number, a name or a part of one. */
export const findableNouns = {
  user: '用户',
  game: '游戏',
  deposit: '充值订单',
  withdrawal: '提现订单',
  slip: '注单',
  drawPlan: '开奖计划',
  drawRecord: '开奖记录',
} as const;

/** A row that was found: what its screen finds it by, and what tells it from others. */
export const Found = z.object({
  noun: choice('类别', findableNouns),
  id: id(),
  /** Of a game. */
  name: text('名称').nullable(),
  gameId: gameId.nullable(),
  phase: text('期号').nullable(),
  title: told(text('标题', { max: 500 }), words),
  detail: told(text('说明', { max: 500 }), words),
});
export type Found = z.infer<typeof Found>;

/** Of each noun at most so many are found. */
export const MOST_FOUND = 6;

/**
 * Rows of all nouns whose lists the caller may open: a player by number, or by a part of username, nickname, real name or phone; an order or slip by
 * its number or the one it has elsewhere; a phase; a game by a part of its name. Of letters and digits less than three
 * are found at the beginning of names and phones, Chinese anywhere; a single one is a number, or part of a game's name.
 */
export const findRows = query('POST /search/find', {
  summary: '查找',
  body: 'json',
  input: z.object({ text: text('查找内容', { min: 1, max: 100 }) }),
  output: z.array(Found),
  access: 'signed-in',
});
