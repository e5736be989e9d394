import { z } from 'zod';
import { granted, query } from './endpoint.ts';
import { choice, decimal, id, money } from './fields.ts';
import { createTime, userId } from './named-fields.ts';

export const heading = '流水要求';

/** What a player has to turn over for a deposit or gift before a withdrawal: `required`, of which `rest` is missing. */
export const TurnoverRequirement = z.object({
  id: id(),
  kind: choice('来源', { RECHARGE: '充值', RECHARGE_GIVE: '充值赠送' }),
  amount: money('金额'),
  times: decimal('流水倍数'),
  required: money('流水要求'),
  played: money('已完成流水'),
  rest: money('待完成流水'),
  createTime,
});
export type TurnoverRequirement = z.infer<typeof TurnoverRequirement>;

/** What is not done yet of a player, the oldest first. */
export const listTurnoverRequirements = query('POST /user/account/turnover', {
  summary: '查询用户的流水要求',
  body: 'form',
  input: z.object({ userId }),
  output: z.array(TurnoverRequirement),
  access: granted(['/main/user/account', '/main/user/withdraw-record']),
});
