import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { amount, id, nullables, optional, optionals, paged, pageOf, sorts } from './fields.ts';
import { createTime, gameId, reason, seenVersion, version } from './named-fields.ts';
import { ref } from './ref.ts';

export const heading = '限额';

const screen = '/main/bet/limit';
const playWayId = ref('playWay', '玩法');

/** What bets can be limited by; of each the most specific row that says it counts. Limits refuse a slip, caps cut what it is paid. */
const kinds = {
  minStake: amount('最低单注'),
  maxStake: amount('最高单注'),
  maxLineStake: amount('最高注项金额'),
  maxUserStake: amount('单期用户投注限额'),
  maxNumberPayout: amount('单期号码派彩限额'),
  maxLoss: amount('单期亏损限额'),
  payoutCapUnit: amount('单注派彩上限'),
  payoutCapLine: amount('注项派彩上限'),
  payoutCapSlip: amount('注单派彩上限'),
  payoutCapUser: amount('单期用户派彩上限'),
};

const said = optionals({ ...kinds, reason: reason('原因') });

/** Limits of a play way, of a game where `playWayId` is null, or of all games where both are; null is said by the next. */
export const BetLimit = z.object({
  id: id(),
  version,
  gameId: gameId.nullable(),
  playWayId: playWayId.nullable(),
  ...nullables(kinds),
  createTime,
});
export type BetLimit = z.infer<typeof BetLimit>;

export const pageBetLimits = query('POST /bet/limit/page', {
  summary: '分页查询限额',
  body: 'form',
  input: paged({
    ...{ gameId, playWayId },
    sort: sorts('minStake', 'maxStake', 'maxLineStake', 'maxUserStake', 'maxNumberPayout', 'maxLoss'),
  }),
  output: pageOf(BetLimit),
  access: granted(screen),
});

/** Without `playWayId` for all play ways of the game, without `gameId` too for all games. */
export const addBetLimit = command('POST /bet/limit/add', {
  summary: '新增限额',
  effect: 'add',
  body: 'form',
  input: z.object({ gameId: optional(gameId), playWayId: optional(playWayId), ...said }),
  output: id(),
  access: granted(screen, 'bet:limit:add'),
});

/** What is absent inherits from now on; what the row is for stays where it is absent. */
export const updateBetLimit = command('POST /bet/limit/update', {
  summary: '编辑限额',
  effect: 'update',
  body: 'form',
  input: z.object({
    id: id(),
    version: seenVersion,
    gameId: optional(gameId),
    playWayId: optional(playWayId),
    ...said,
  }),
  output: id(),
  access: granted(screen, 'bet:limit:update'),
  edits: BetLimit,
});

export const deleteBetLimit = command('GET /bet/limit/deleteById/{id}', {
  summary: '删除限额',
  effect: 'delete',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen, 'bet:limit:delete'),
});
