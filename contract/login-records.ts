import { z } from 'zod';
import { granted, query } from './endpoint.ts';
import { by, choice, dateTime, id, paged, pageOf, range, sorts, text } from './fields.ts';
import { callerAddress, operatorName, userAgent } from './named-fields.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '登录日志';

const outcome = choice('结果', { SUCCESS: '成功', REJECTED: '失败', LOCKED: '已锁定', HELD: '未放行' });

/**
 * One sign-in or try: REJECTED for a wrong name, password or code, LOCKED while the account is closed (one line a minute for
 * an address), HELD when all three were right and something else keeps the operator out.
 */
export const LoginRecord = z.object({
  id: id(),
  createTime: dateTime('登录时间'),
  /** Nobody when no operator has this name. */
  operatorId: id('操作员编号').nullable(),
  userName: operatorName,
  address: callerAddress,
  outcome,
  msg: told(text('提示')),
  agent: userAgent,
});
export type LoginRecord = z.infer<typeof LoginRecord>;

/** `userName` is whole, `address` a part. */
export const pageLoginRecords = query('POST /pms/loginRecord/page', {
  summary: '分页查询登录日志',
  body: 'form',
  input: paged({
    userName: by('whole', operatorName),
    address: callerAddress,
    outcome,
    createTimeRange: range('登录时间'),
    sort: sorts('createTime'),
  }),
  output: pageOf(LoginRecord),
  access: granted('/main/pms/login-record'),
});
