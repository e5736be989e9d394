import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { amount, id, money, optional, paged, pageOf, text } from './fields.ts';
import { agentId, nickName, userId, username } from './named-fields.ts';

const screen = '/main/user/account';

/**
 * The sums of an account: `totalAmount` is always `availableAmount` + `freezeAmount`, none is negative. `debt` is what a correction
 * could not take back; as long as there is any, nothing is available.
 */
export const balanceFields = {
  totalAmount: money('总金额'),
  availableAmount: money('可用余额'),
  freezeAmount: money('冻结金额'),
  debt: money('欠款'),
};

/** A player's money, in exact decimals with at most 4 places. */
export const Account = z.object({
  id: id(),
  userId,
  username: username.nullable(),
  nickName,
  ...balanceFields,
});
export type Account = z.infer<typeof Account>;

export const pageAccounts = query('POST /user/account/page', {
  summary: '分页查询账户',
  body: 'form',
  input: paged({ userId, username, agentId }),
  output: pageOf(Account),
  access: granted(screen),
});

/** Why money was moved by hand; a parameter says above which amount it must be told. */
const remark = text('备注', { max: 200 });
const move = z.object({ id: id(), balance: amount('金额'), remark: optional(remark) });

/** Credits the account; `id` is the account's, not the user's. */
export const addBalance = command('GET /user/account/addBalance/{id}/{balance}', {
  summary: '人工加款',
  body: 'none',
  input: move,
  output: z.literal(true),
  access: granted(screen),
  stepUp: true,
  approval: { when: 'moneyAbove', by: 'approval:release:money' },
});

/** Debits the account, at most what is available; `id` is the account's, not the user's. */
export const subtractBalance = command('GET /user/account/subBalance/{id}/{balance}', {
  summary: '人工扣款',
  body: 'none',
  input: move,
  output: z.literal(true),
  access: granted(screen),
  stepUp: true,
  approval: { when: 'moneyAbove', by: 'approval:release:money' },
});
