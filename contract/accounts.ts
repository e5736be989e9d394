import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { amount, filters, id, money, optional, paged, pageOf, sorts, text } from './fields.ts';
import { agentId, nickName, reason, userId, username } from './named-fields.ts';
import { ref } from './ref.ts';

/** What its calls stand under in the API document. */
export const heading = '账户';

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

const filter = { userId, username, agentId };

export const sumAccounts = query('POST /user/account/sum', {
  summary: '合计账户',
  body: 'form',
  input: filters(filter),
  output: z.object(balanceFields),
  access: granted(screen),
});

export const pageAccounts = query('POST /user/account/page', {
  summary: '分页查询账户',
  body: 'form',
  input: paged({ ...filter, sort: sorts('userId') }),
  output: pageOf(Account),
  access: granted(screen),
  sums: {
    call: sumAccounts,
    totals: {
      totalAmount: { label: '总金额', field: 'totalAmount' },
      availableAmount: { label: '可用余额', field: 'availableAmount' },
      freezeAmount: { label: '冻结金额', field: 'freezeAmount' },
      debt: { label: '欠款', field: 'debt' },
    },
  },
});

/** Why money was moved by hand; a parameter says above which amount it must be told. */
const remark = text('备注', { max: 200 });
const accountId = ref('account', '账户');
const move = z.object({ id: accountId, balance: amount('金额'), remark: optional(remark) });

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

/** Writes off what the account's player owes, or a part of it; no money moves. `id` is the account's, not the user's. */
export const writeOffDebt = command('POST /user/account/writeOffDebt', {
  summary: '核销欠款',
  body: 'form',
  input: z.object({ id: accountId, amount: amount('核销金额'), reason: reason('原因') }),
  output: z.literal(true),
  access: granted(screen),
  approval: { when: 'always', by: 'approval:release:money' },
});
