import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import {
  by,
  choice,
  dateTime,
  days,
  decimal,
  endTells,
  filters,
  flag,
  id,
  integer,
  longText,
  money,
  paged,
  pageOf,
  signedMoney,
  sorts,
  text,
} from './fields.ts';
import { agentId, betTimeRange, gameId, number, phase, reason, userId, username } from './named-fields.ts';
import { ref } from './ref.ts';
import { settlementKind } from './settlements.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '注单';

const screen = '/main/bet/slip';

/** What became of a slip or of one of its lines. HELD waits for somebody's decision. */
export const slipStatus = choice('注单状态', {
  PENDING: '未结算',
  HELD: '暂停结算',
  WON: '已中奖',
  LOST: '未中奖',
  PUSHED: '退本金',
  CANCELLED: '已撤单',
  VOID: '已作废',
});
/** The number that the players' site gave a slip, each once. */
export const bizNo = endTells(text('业务注单号', { max: 100 }));
/** Which change of the odds that a player saw still lets a line be placed: none, a better one, or any. */
export const acceptOdds = choice('赔率变动', {
  SAME: '不接受变动',
  BETTER: '只接受变高',
  ANY: '接受任何变动',
});

/** A row of odds: of a number, or of what a unit can win. */
export const OddsOfNumber = z.object({ number, odds: decimal('赔率', { positive: true }) });
/** Odds of a line: text where all its units share one, else the rows that decide it. */
export const lineOdds = z
  .union([decimal('赔率', { positive: true }), z.array(OddsOfNumber).min(1).max(1_000)], {
    error: '须为一个赔率，或每个号码的赔率',
  })
  .meta({ title: '赔率' });

export const stakeFields = {
  stake: money('投注额'),
  payout: money('派彩'),
  refund: money('退还'),
};

/** A line of a slip as it was placed, and what became of it. Names and odds are those of then. */
export const SlipLine = z.object({
  id: id('注项编号'),
  playWayId: ref('playWay', '玩法编号'),
  playWayName: text('玩法'),
  selection: longText('选号'),
  units: integer('注数', { min: 1 }),
  unitStake: money('单注金额'),
  odds: lineOdds,
  status: slipStatus,
  winningUnits: integer('中奖注数', { min: 0 }),
  pushedUnits: integer('退本金注数', { min: 0 }),
  ...stakeFields,
});
export type SlipLine = z.infer<typeof SlipLine>;

/** What a slip is, whoever reads it. */
export const slipFields = {
  bizNo,
  userId,
  gameId,
  phase,
  status: slipStatus,
  ...stakeFields,
  createTime: dateTime('投注时间'),
  settleTime: dateTime('结算时间').nullable(),
};

const ShownLine = SlipLine.extend({
  categoryName: text('玩法分类'),
  subCategoryName: text('玩法子分类'),
  maxPayout: money('最高派彩'),
  handler: text('结果处理器'),
  handlerTitle: told(text('判定')),
  handlerVersion: integer('处理器版本', { min: 1 }),
});

/** What a settlement made of a slip: its n-th, what it was by that, and what it moved. */
export const SlipSettlement = z.object({
  n: integer('次序', { min: 1 }),
  settlementId: ref('settlement', '结算编号'),
  kind: settlementKind,
  status: slipStatus,
  payout: signedMoney('派彩变动'),
  refund: signedMoney('退还变动'),
  createTime: dateTime('结算时间'),
});
export type SlipSettlement = z.infer<typeof SlipSettlement>;

/** A slip with its lines and the settlements that changed it. `result` is what was drawn; `cancelReason` and `cancelledBy` tell why and by whom it was taken back; `problem` why it waits. */
export const Slip = z.object({
  id: id('注单编号'),
  ...slipFields,
  username: username.nullable(),
  drawTime: dateTime('开奖时间'),
  acceptOdds,
  testAccount: flag('测试账号'),
  result: text('开奖结果', { max: 500 }).nullable(),
  cancelledBy: text('撤单人').nullable(),
  cancelReason: text('撤单原因', { max: 500 }).nullable(),
  problem: told(longText('暂停原因')).nullable(),
  lines: z.array(ShownLine).meta({ title: '注项' }),
  settlements: z.array(SlipSettlement).meta({ title: '历次结算' }),
});
export type Slip = z.infer<typeof Slip>;

/**
 * `id` and `slipId` are the same. `playWayId` finds the slips that have a line of it, whether it is still there or not; `dayRange` those
 * whose stakes the report counts on these days, `agentId` those placed under an agent, at whatever remove.
 */
const filter = {
  id: id('注单编号'),
  slipId: ref('slip', '注单编号'),
  bizNo: by('whole', bizNo),
  userId,
  username,
  gameId,
  phase: by('whole', phase),
  playWayId: ref('playWay', '玩法'),
  status: slipStatus,
  createTimeRange: betTimeRange,
  dayRange: days('报表日期'),
  agentId,
  testAccount: flag('测试账号'),
};

/** What slips come to, those of test accounts and those that were taken back or voided among them. */
export const sumSlips = query('POST /bet/slip/sum', {
  summary: '合计注单',
  body: 'form',
  input: filters(filter),
  output: z.object(stakeFields),
  access: granted(screen),
});

export const pageSlips = query('POST /bet/slip/page', {
  summary: '分页查询注单',
  body: 'form',
  input: paged({ ...filter, sort: sorts('id', 'createTime') }),
  output: pageOf(Slip),
  access: granted(screen),
  sums: {
    call: sumSlips,
    totals: {
      stake: { label: '投注额', field: 'stake' },
      payout: { label: '派彩', field: 'payout' },
      refund: { label: '退还', field: 'refund' },
    },
  },
});

/**
 * Takes a slip back and gives its stake back, before its phase closes. Between that and the draw, where approvals are in force, a second
 * operator releases it and it becomes void; after the draw no slip is taken back alone.
 */
export const cancelSlip = command('POST /bet/slip/cancel', {
  summary: '撤单',
  body: 'form',
  input: z.object({ id: id('注单编号'), reason: reason('撤单原因') }),
  output: z.literal(true),
  access: granted(screen, 'bet:slip:cancel'),
  approval: { when: 'slipVoided', by: 'approval:release:bets' },
});
