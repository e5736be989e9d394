import { z } from 'zod';
import { command, query } from './endpoint.ts';
import { amount, by, integer, money, optional, paged, pageOf, text } from './fields.ts';
import { rows } from './list-fields.ts';
import { gameId, phase, userId } from './named-fields.ts';
import { ref } from './ref.ts';
import { acceptOdds, bizNo, lineOdds, SlipLine, slipFields, slipStatus } from './slips.ts';

/** What its calls stand under in the API document. */
export const heading = '平台投注';

// Bets of the players' site, under /open/v1 with the platform key.

const slipId = ref('slip', '注单编号');

const playWayId = ref('playWay', '玩法编号');

/** At most so many lines a slip. */
const MOST_LINES = 200;

/** A line to be placed. `odds` are those that the player saw, in the form in which they are answered. */
const wantedLine = z.object({
  playWayId,
  selection: text('选号', { max: 20_000 }),
  unitStake: amount('单注金额'),
  odds: optional(lineOdds),
});

/** A slip as it was placed. `maxPayout` is the most that a line can pay in any one draw. */
export const PlacedSlip = z.object({
  slipId,
  stake: money('投注额'),
  lines: z.array(
    SlipLine.pick({ id: true, units: true, stake: true, odds: true }).extend({
      maxPayout: money('最高派彩'),
    }),
  ),
});
export type PlacedSlip = z.infer<typeof PlacedSlip>;

/** Of lines refused because their odds changed: which they are, the first being 1, and the odds that they have now. */
export const ChangedOdds = z.object({
  lines: z.array(
    z.object({ place: integer('第几项', { min: 1, max: MOST_LINES }), playWayId, odds: lineOdds }),
  ),
});
export type ChangedOdds = z.infer<typeof ChangedOdds>;

/**
 * Places one slip, all of it or nothing, for the phase that is open now. A `bizNo` seen before with the same content answers the first
 * slip, with other content it is refused. Without `acceptOdds` odds that changed refuse the slip, and tell the new ones.
 */
export const placeBet = command('POST /bets', {
  summary: '平台投注',
  body: 'json',
  input: z.object({
    userId,
    bizNo,
    gameId,
    phase,
    acceptOdds: optional(acceptOdds),
    lines: rows('注项', wantedLine, { min: 1, max: MOST_LINES }),
  }),
  output: PlacedSlip,
  told: ChangedOdds,
  access: 'platform',
});

/** A slip as the players' site reads it. */
export const PlatformSlip = z.object({ slipId, ...slipFields, lines: z.array(SlipLine) });
export type PlatformSlip = z.infer<typeof PlatformSlip>;

export const getBet = query('GET /bets/{slipId}', {
  summary: '平台查询注单',
  body: 'none',
  input: z.object({ slipId }),
  output: PlatformSlip,
  access: 'platform',
});

export const getBetByBizNo = query('GET /bets', {
  summary: '平台按业务注单号查询注单',
  body: 'none',
  input: z.object({ bizNo }),
  output: PlatformSlip,
  access: 'platform',
});

export const pageUserBets = query('GET /users/{id}/bets', {
  summary: '平台分页查询用户的注单',
  body: 'none',
  input: paged({ gameId, phase: by('whole', phase), status: slipStatus }).extend({ id: userId }),
  output: pageOf(PlatformSlip),
  access: 'platform',
});

/**
 * Takes a slip back before its phase closes, where the parameter `bet.siteCancel` lets the site do so. A player's reason may be short. Asked
 * for again with the same reason it answers the slip again.
 */
export const cancelBet = command('POST /bets/{slipId}/cancel', {
  summary: '平台撤单',
  about: '注单',
  body: 'json',
  input: z.object({ slipId, reason: optional(text('撤单原因', { max: 500 })) }),
  output: PlatformSlip,
  access: 'platform',
});
