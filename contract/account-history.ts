import { z } from 'zod';
import { granted, query } from './endpoint.ts';
import {
  by,
  choice,
  dateTime,
  filters,
  flag,
  id,
  money,
  paged,
  pageOf,
  range,
  sorts,
  text,
} from './fields.ts';
import { bizOrderNo, changeType, nickName, sealed, userId, username } from './named-fields.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '账变记录';

const direction = choice('账变方向', { IN: '收入', OUT: '支出' });

/**
 * One movement of an account: `originAmount` before, `amount` (without a sign) moved, `newAmount` after. A stake or win that is of no slip
 * here is `external`: the players' site alone vouches for it.
 */
export const AccountHistory = z.object({
  id: id(),
  account: z.object({ userId, username: username.nullable(), nickName }).meta({ title: '账户' }),
  originAmount: money('账变前金额'),
  amount: money('账变金额'),
  newAmount: money('账变后金额'),
  direction,
  changeType,
  bizOrderNo: bizOrderNo.nullable(),
  external: flag('外部', ['外部', '本平台']),
  // Operators and the players' site write there too.
  desc: told(text('备注', { max: 500 }), 'contract/account-history.ts').nullable(),
  createTime: dateTime('更新时间'),
  sealed,
});
export type AccountHistory = z.infer<typeof AccountHistory>;

const filter = {
  userId,
  username,
  changeType,
  direction,
  bizOrderNo: by('whole', bizOrderNo),
  createTimeRange: range('更新时间'),
};

export const sumAccountHistory = query('POST /user/accountHistory/sum', {
  summary: '合计账变记录',
  body: 'form',
  input: filters(filter),
  output: z.object({ income: money('收入'), expense: money('支出') }),
  access: granted('/main/user/account-history'),
});

export const pageAccountHistory = query('POST /user/accountHistory/page', {
  summary: '分页查询账变记录',
  body: 'form',
  input: paged({ ...filter, sort: sorts('createTime') }),
  output: pageOf(AccountHistory),
  access: granted('/main/user/account-history'),
  sums: {
    call: sumAccountHistory,
    totals: {
      income: { label: '收入', field: 'amount', where: ['direction', 'IN'] },
      expense: { label: '支出', field: 'amount', where: ['direction', 'OUT'] },
    },
  },
});
