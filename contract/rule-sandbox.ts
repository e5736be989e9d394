import { z } from 'zod';
import { handlerOptions, reading } from './bet-latitudes.ts';
import { granted, query } from './endpoint.ts';
import { dateTime, flag, id, integer, money, optional, signedMoney, text } from './fields.ts';
import { gameId, phase } from './named-fields.ts';
import { ref } from './ref.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '规则试算';

const sums = {
  lines: integer('注项数', { min: 0 }),
  stake: money('投注额'),
  paid: money('实际派彩与退还'),
  tried: money('试算派彩与退还'),
  /** What the house would have won more, or less where it is below nothing. */
  difference: signedMoney('平台盈亏相差'),
  changed: integer('结果不同的注项', { min: 0 }),
};

/**
 * A phase whose slips were judged once more. `isWhole` is false where it has more than were looked at: sums are of the same lines on both
 * sides. `problem` says why a line could not be judged by the tried rules; such lines count on neither side.
 */
export const SandboxPhase = z.object({
  phase,
  openTime: dateTime('开奖时间'),
  result: text('开奖结果', { max: 500 }),
  ...sums,
  isWhole: flag('全部注项'),
  problem: told(text('问题')).nullable(),
});
export type SandboxPhase = z.infer<typeof SandboxPhase>;

/** What real slips came to beside what other rules would give. `handlerVersion` is that of the tried handler. */
export const Sandbox = z.object({
  handlerVersion: integer('处理器版本', { min: 1 }),
  totals: z.object(sums),
  phases: z.array(SandboxPhase),
});
export type Sandbox = z.infer<typeof Sandbox>;

/**
 * Judges the lines that were settled by a latitude, of one play way or of all, in the last phases of its game by other rules: nothing is
 * changed. With a typed `result` both sides are judged as if it had been drawn in each of them, by the rules that slips keep and by the
 * tried ones.
 */
export const tryRules = query('POST /game/betLatitude/sandbox', {
  summary: '以真实注单试算规则',
  body: 'form',
  input: z.object({
    gameId,
    id: id('投注维度编号'),
    playWayId: optional(ref('playWay', '玩法')),
    ...reading,
    handlerOptions: optional(handlerOptions),
    last: integer('期数', { min: 1, max: 100 }).default(100),
    result: optional(text('开奖结果', { max: 500 })),
  }),
  output: Sandbox,
  access: granted(['/main/game/bet-latitude', '/main/game/playway']),
});
