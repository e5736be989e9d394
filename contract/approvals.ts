import { z } from 'zod';
import { json, NamedRow, shortened, summary } from './change-records.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { command, granted, query } from './endpoint.ts';
import {
  by,
  choice,
  dateTime,
  flag,
  id,
  integer,
  money,
  nothing,
  optional,
  paged,
  pageOf,
  range,
  sorts,
  text,
} from './fields.ts';
import { operatorName, userId, username } from './named-fields.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '复核';

const screen = '/main/system/approval';
const approvalId = id('复核编号');
const maker = text('提交人', { max: 50 });
const checker = text('复核人', { max: 50 });
const status = choice('状态', {
  PENDING: '待复核',
  RELEASED: '已放行',
  REJECTED: '已驳回',
  WITHDRAWN: '已撤回',
  EXPIRED: '已过期',
});
const address = (label: string) => text(label, { max: 100 });

/** What a call answers that was prepared, and waits for a second operator. */
export const Submitted = z.object({ approvalId });

/** The number under which a call waits for a second operator; nothing where the call did what it is for. */
export const approvalIdOf = (data: unknown): number | undefined =>
  typeof data === 'object' && data !== null && 'approvalId' in data && typeof data.approvalId === 'number'
    ? data.approvalId
    : undefined;

/** What a call may answer when it succeeds. */
export const answerOf = ({ approval, output }: AnyEndpoint): z.ZodType =>
  approval ? z.union([output, Submitted]) : output;

const access = (label: string) => z.array(text(label, { max: 2000 })).meta({ title: label });

/** What somebody may do once a call is done and could not before, and the reverse: rights to release, and menus with their expressions. */
export const AccessChange = z.object({
  operatorId: id('操作员编号'),
  userName: operatorName,
  gained: told(access('获得的权限')),
  lost: told(access('失去的权限')),
});
export type AccessChange = z.infer<typeof AccessChange>;

/** A maker's account that somebody else opened so many days before, or fewer, is told of. */
export const RESET_TOLD_DAYS = 7;

/** A call that somebody prepared. `before` and `after` are what it will find and leave, as the change record has them. */
export const Approval = z.object({
  id: approvalId,
  createTime: dateTime('提交时间'),
  expireTime: dateTime('过期时间'),
  /** Seconds it waited, or waits already. */
  age: integer('已等待秒数', { min: 0 }),
  status,
  maker,
  makerAddress: address('提交地址'),
  /** That somebody else had reset the maker's password or key within `RESET_TOLD_DAYS` before: who, and when. */
  makerReset: told(text('提交前的重置', { max: 500 })).nullable(),
  summary: told(summary),
  /** The call's name in the contract, whose fields `input`, `before` and `after` mostly are. */
  call: text('接口', { max: 100 }),
  targetId: text('对象编号', { max: 100 }).nullable(),
  /** Whose money it moves, and how much, where it is that of one player. */
  userId: userId.nullable(),
  username: username.nullable(),
  amount: money('金额').nullable(),
  /** Why the rules ask for a second operator. */
  why: told(text('需复核的原因', { max: 500 })),
  /** What the maker gave as reason. */
  reason: text('提交原因', { max: 500 }).nullable(),
  input: json('提交内容'),
  before: json('变更前'),
  after: json('变更后'),
  /** Everybody whose access it changes. */
  access: z.array(AccessChange).meta({ title: '权限变化' }),
  shortened,
  checker: checker.nullable(),
  checkerAddress: address('复核地址').nullable(),
  /** Whether it was the checker who had reset the maker's password or key. */
  resetByChecker: flag('复核人重置过提交人的账号'),
  decideTime: dateTime('复核时间').nullable(),
  decideReason: text('复核意见', { max: 200 }).nullable(),
  /** Whether the caller prepared it, and whether the caller holds what releasing it takes. */
  own: flag('本人提交'),
  releasable: flag('可复核'),
  /** What keeps the caller, or everybody, from releasing it while it waits, though they hold the right. */
  barred: told(text('不能放行的原因', { max: 500 })).nullable(),
});
export type Approval = z.infer<typeof Approval>;

/** `id` gives its row whole. `maker` and `checker` are whole names, `summary` is a part. */
export const pageApprovals = query('POST /approval/page', {
  summary: '分页查询复核',
  body: 'form',
  input: paged({
    ...{
      id: approvalId,
      status,
      maker: by('whole', maker),
      checker: by('whole', checker),
      summary,
      createTimeRange: range('提交时间'),
    },
    sort: sorts('id', 'createTime'),
  }),
  output: pageOf(Approval),
  access: granted(screen),
});

/**
 * Whether calls wait for a second operator at present, how many wait, how many of those the caller may release, and for which rights fewer
 * than two operators could: what needs one of them is not executed.
 */
export const ApprovalState = z.object({
  enabled: flag('复核', ['已开启', '未开启']),
  pending: integer('待复核', { min: 0 }),
  releasable: integer('可由您复核', { min: 0 }),
  short: told(z.array(text('人数不足的复核')).meta({ title: '人数不足的复核' })),
});
export type ApprovalState = z.infer<typeof ApprovalState>;

export const getApprovalState = query('GET /approval/state', {
  summary: '查询复核状态',
  body: 'none',
  input: nothing,
  output: ApprovalState,
  access: granted(screen),
});

/** The rows that what was prepared names and that there still are; their names are today's. */
export const listApprovalNames = query('POST /approval/names', {
  summary: '查询复核中的名称',
  noun: '复核中的名称',
  body: 'form',
  input: z.object({ id: id() }),
  output: z.array(NamedRow),
  access: granted(screen),
});

const opinion = text('复核意见', { max: 200 });

/**
 * Executes what somebody else prepared, once, in the maker's name and with the maker's rights of now; refused when it would no longer do
 * what was shown. Answers what the call itself answers.
 */
export const releaseApproval = command('POST /approval/release', {
  summary: '放行复核',
  body: 'json',
  input: z.object({ id: approvalId, reason: optional(opinion) }),
  output: z.unknown(),
  access: granted(screen),
  stepUp: true,
});

export const rejectApproval = command('POST /approval/reject', {
  summary: '驳回复核',
  body: 'json',
  input: z.object({ id: approvalId, reason: opinion }),
  output: z.literal(true),
  access: granted(screen),
});

/** Takes back what one has prepared oneself. */
export const withdrawApproval = command('POST /approval/withdraw', {
  summary: '撤回复核',
  body: 'json',
  input: z.object({ id: approvalId, reason: optional(text('撤回原因', { max: 200 })) }),
  output: z.literal(true),
  access: granted(screen),
});
