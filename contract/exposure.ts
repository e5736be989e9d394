import { z } from 'zod';
import { granted, query } from './endpoint.ts';
import { by, filters, integer, money, signedMoney, sorts, text } from './fields.ts';
import { gameId, phase } from './named-fields.ts';
import { ref } from './ref.ts';
import { told } from './wording.ts';

export const heading = '单期风险';

const screen = '/main/bet/exposure';
// Whatever a lottery may come to, below zero the house loses.
const result = signedMoney('平台盈亏');

/**
 * What is staked on a number of a play way, what it pays if it comes, and the house's result then, of this play way alone: stakes on others
 * that come back with it (龙 and 虎 where 和 gives them back) are no gain. Lines of several
 * numbers are one row, named as their play way, with the most that each can pay. Caps of slips and players are taken off, as far as the play
 * way alone reaches them.
 */
export const Exposure = z.object({
  playWayId: ref('playWay', '玩法编号'),
  playWayName: text('玩法'),
  number: text('号码', { max: 50 }),
  stake: money('投注额'),
  units: integer('注数'),
  payout: money('派彩'),
  result,
});
export type Exposure = z.infer<typeof Exposure>;

/**
 * 单期风险 of a phase; without `phase` of the one that is closed and not yet drawn, else of the one that takes bets now. Whoever may call this
 * may not enter results by hand.
 */
export const listExposure = query('POST /bet/exposure/list', {
  summary: '单期风险',
  body: 'form',
  input: filters({
    gameId,
    phase: by('whole', phase),
    sort: sorts('number', 'units', 'stake', 'payout', 'result'),
  }),
  output: z.array(Exposure),
  access: granted(screen),
});

/** What each possible draw would leave the house with, where there are at most 1,000 of them; `problem` tells why there is none. */
export const ExposureOutlook = z.object({
  phase: phase.nullable(),
  stake: money('投注额'),
  worst: result.nullable(),
  best: result.nullable(),
  expected: signedMoney('平均盈亏').nullable(),
  /** A result that loses more than this is warned of; null where nobody is warned. */
  warnAbove: money('警示金额').nullable(),
  draws: z.array(z.object({ draw: text('开奖结果'), result })).meta({ title: '每种开奖结果' }),
  problem: told(text('说明')).nullable(),
});
export type ExposureOutlook = z.infer<typeof ExposureOutlook>;

export const getExposureOutlook = query('POST /bet/exposure/outlook', {
  summary: '每种开奖结果的盈亏',
  body: 'form',
  input: filters({ gameId, phase: by('whole', phase) }),
  output: ExposureOutlook,
  access: granted(screen),
});
