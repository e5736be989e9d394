import { z } from 'zod';
import { granted, query } from './endpoint.ts';
import { by, choice, dateTime, flag, id, paged, pageOf, range, sorts, text } from './fields.ts';
import { callerAddress, operatorName, sealed, userId } from './named-fields.ts';
import { nounNames } from './ref.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '操作日志';

export const summary = text('操作', { max: 100 });
const targetId = text('对象编号', { max: 100 });
const outcome = choice('结果', {
  SUCCESS: '成功',
  PREPARED: '待复核',
  REFUSED: '已拒绝',
  DENIED: '无权限',
  FAULT: '系统错误',
});
/** Whatever JSON the call carried; never a secret. */
export const json = (title: string) => z.unknown().meta({ title });

/** Whether a list left out what is long of a row: asked for by its number, the row is whole. */
export const shortened = flag('内容', ['有省略', '完整']);

/** One change somebody made or tried to make, or a list they took out: written once and never altered. */
export const ChangeRecord = z.object({
  id: id(),
  createTime: dateTime('操作时间'),
  userName: told(operatorName),
  summary: told(summary),
  /** The call's name in the contract, whose fields `input`, `before` and `after` mostly are. */
  call: text('接口', { max: 100 }),
  targetId: targetId.nullable(),
  outcome,
  msg: told(text('提示')).nullable(),
  address: callerAddress,
  input: json('提交内容'),
  before: json('变更前'),
  after: json('变更后'),
  shortened,
  sealed,
});
export type ChangeRecord = z.infer<typeof ChangeRecord>;

/** What was changed, by the heading under which the API document has its calls, in Chinese or English; so is `summary`. */
const noun = text('对象类别', { max: 50 });

/** `id` gives its row whole. `userName`, `targetId` and `noun` are whole, `summary` and `address` parts; `userId` finds what was done to a player, their account and notes. */
export const pageChangeRecords = query('POST /system/changeRecord/page', {
  summary: '分页查询操作日志',
  body: 'form',
  input: paged({
    id: id(),
    userName: by('whole', operatorName),
    summary,
    noun: by('whole', noun),
    userId,
    targetId: by('whole', targetId),
    outcome,
    address: callerAddress,
    createTimeRange: range('操作时间'),
    sort: sorts('createTime'),
  }),
  output: pageOf(ChangeRecord),
  access: granted('/main/system/change-record'),
});

/** What a row that a change names is called now, and what the search of its noun's screen is filled with to find it. */
export const NamedRow = z.object({
  noun: z.enum(nounNames).meta({ title: '对象' }),
  id: id(),
  name: text('名称', { max: 500 }),
  find: z.record(z.string(), z.string()).meta({ title: '查找条件' }),
});
export type NamedRow = z.infer<typeof NamedRow>;

/** The rows that a change names and that there still are; their names are today's. */
export const listChangedNames = query('POST /system/changeRecord/names', {
  summary: '查询操作日志中的名称',
  noun: '操作日志中的名称',
  body: 'form',
  input: z.object({ id: id() }),
  output: z.array(NamedRow),
  access: granted('/main/system/change-record'),
});
