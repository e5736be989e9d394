import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { amount, choice, dateTime, flag, id, money, optional, signedMoney } from './fields.ts';
import { reason, userId } from './named-fields.ts';
import { excludedUntil } from './users.ts';

/** What its calls stand under in the API document. */
export const heading = '用户限额';

const kind = choice('限额种类', { DEPOSIT: '充值', LOSS: '亏损' });

/** What a limit of a player is counted over: by the platform's clock, weeks from Monday on. */
export const limitPeriod = choice('周期', { DAY: '每日', WEEK: '每周', MONTH: '每月' });

/**
 * A limit that a player set, or an operator for them: what they may pay in, or lose, in a period. `amount` holds now, null where none does;
 * `used` is what counts towards it of the period that runs (losses below nothing are winnings), `left` what remains. A limit that is raised
 * or lifted stays as it is until `nextTime` and is `nextAmount` from then on; null lifts it.
 */
export const PlayerLimit = z.object({
  id: id(),
  kind,
  period: limitPeriod,
  amount: money('限额').nullable(),
  used: signedMoney('本期已用'),
  left: money('本期剩余').nullable(),
  nextAmount: money('待生效限额').nullable(),
  nextTime: dateTime('生效时间').nullable(),
});
export type PlayerLimit = z.infer<typeof PlayerLimit>;

/** The limits of a player that hold or will, those of deposits first. */
export const listPlayerLimits = query('POST /user/limit/list', {
  summary: '查询用户限额',
  body: 'form',
  input: z.object({ userId }),
  output: z.array(PlayerLimit),
  access: granted(['/main/user/user-page', '/main/user/user']),
});

const wanted = { kind, period: limitPeriod, amount: optional(amount('限额')) };

/**
 * Sets a player's limit, or lifts it where no `amount` is given. A lower limit holds at once; a higher one, or none, once the parameter's
 * time has passed, whoever sets it.
 */
export const setPlayerLimit = command('POST /user/limit/set', {
  summary: '设置用户限额',
  about: '用户',
  body: 'json',
  input: z.object({ userId, ...wanted, reason: reason('原因') }),
  output: PlayerLimit,
  access: granted('/main/user/user', 'user:limit:set'),
});

/** Forgets an exclusion that is over. Nobody lifts one that runs. */
export const liftExclusion = command('POST /user/user/liftExclusion', {
  summary: '解除自我禁投',
  about: '用户',
  body: 'form',
  input: z.object({ userId, reason: reason('原因') }),
  output: z.literal(true),
  access: granted('/main/user/user', 'user:user:freeze'),
});

/** What keeps a player from betting or paying in, as the players' site reads it. */
export const PlayerState = z.object({
  frozen: flag('投注状态', ['已冻结', '正常']),
  excludedUntil: excludedUntil.nullable(),
  limits: z.array(PlayerLimit),
});
export type PlayerState = z.infer<typeof PlayerState>;

export const getPlayerState = query('GET /users/{id}/limits', {
  summary: '平台查询用户限额',
  body: 'none',
  input: z.object({ id: userId }),
  output: PlayerState,
  access: 'platform',
});

/** A player's own wish, by the rules of `setPlayerLimit`. */
export const setOwnLimit = command('POST /users/{id}/limits', {
  summary: '平台设置用户限额',
  about: '用户',
  body: 'json',
  input: z.object({ id: userId, ...wanted }),
  output: PlayerLimit,
  access: 'platform',
});

/** What a player asks for: no bets and no deposits until then. It can be made longer, never shorter. */
export const excludeOneself = command('POST /users/{id}/exclude', {
  summary: '平台自我禁投',
  about: '用户',
  body: 'json',
  input: z.object({ id: userId, excludedUntil }),
  output: z.literal(true),
  access: 'platform',
});
