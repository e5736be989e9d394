import { z } from 'zod';
import { Account } from './accounts.ts';
import { granted, query } from './endpoint.ts';
import { flag, integer, money, text } from './fields.ts';
import { agentId, createTime, nickName, userId } from './named-fields.ts';
import { ref } from './ref.ts';
import { UserNote } from './user-notes.ts';
import { User } from './users.ts';
import { told } from './wording.ts';

export const heading = '用户详情';

/** A withdrawal that waits, and why: a sentence a reason. */
export const WaitingWithdrawal = z.object({
  withdrawalId: ref('withdrawal', '提现订单'),
  amount: money('金额'),
  createTime,
  reasons: told(z.array(text('原因')).meta({ title: '等待原因' })),
});
export type WaitingWithdrawal = z.infer<typeof WaitingWithdrawal>;

/**
 * All that stands above a player's lists. `agents` are theirs and those above, the nearest first; a number that is no agent has no name.
 * `invited` counts those who were invited, up to a bound: `invitedMore` says that there are more. `pinned` are the notes that are pinned,
 * `barred` why no withdrawal goes through at present, `withdrawals` those that wait, the oldest first, and `withdrawalsMore` that more do.
 */
export const UserPage = z.object({
  user: User,
  account: Account,
  parent: z.object({ userId, nickName }).nullable().meta({ title: '上级' }),
  agents: z.array(z.object({ agentId, name: text('代理名称').nullable() })).meta({ title: '代理' }),
  invited: integer('邀请人数', { min: 0 }),
  invitedMore: flag('还有更多邀请'),
  pinned: z.array(UserNote).meta({ title: '置顶备注' }),
  barred: told(z.array(text('原因')).meta({ title: '不能提现的原因' })),
  withdrawals: z.array(WaitingWithdrawal).meta({ title: '等待中的提现' }),
  withdrawalsMore: flag('还有更多等待中的提现'),
});
export type UserPage = z.infer<typeof UserPage>;

export const getUserPage = query('POST /user/page/get', {
  summary: '查询用户详情',
  body: 'form',
  input: z.object({ id: userId }),
  output: UserPage,
  access: granted('/main/user/user-page'),
});
