import { choice, decimal, flag, integer, text } from '#contract/fields.ts';
import { breaksLines, isMailAddress } from '#server/mail-address.ts';

const yesOrNo = flag('参数值');
const limit = decimal('参数值');

/** Whole days, or 0 for ever; never so few that what was just kept is gone. */
const daysKept = (least: number) =>
  integer('参数值', { min: 0, max: 99_999 }).refine((days) => days === 0 || days >= least, {
    error: `不能少于 ${least} 天（0 为永久保留）`,
  });

const minutes = integer('参数值', { min: 0, max: 10_000 });

/** As many reasons as there are keys to choose one by. */
const MOST_REASONS = 9;
const LONGEST_REASON = 100;
/** Reasons as an operator writes them into one line. */
export const reasonsIn = (line: string): string[] =>
  line
    .split(/[；;]/)
    .map((reason) => reason.trim())
    .filter((reason) => reason !== '');
const reasons = text('参数值', { min: 0, max: 4000 })
  .refine((line) => reasonsIn(line).length <= MOST_REASONS, { error: `不能超过 ${MOST_REASONS} 条` })
  .refine((line) => reasonsIn(line).every((reason) => reason.length <= LONGEST_REASON), {
    error: `每条不能超过 ${LONGEST_REASON} 个字符`,
  });

/**
 * The parameters the product itself reads: how each is called on the screen, what its value must be, and the value
 * it starts with. Operators may add others for the players' site; those are free text.
 */
export const knownParams = {
  'draw.autoGenerate': {
    title: '每晚自动生成次日开奖计划',
    schema: yesOrNo,
    initial: 'true',
  },
  'security.secondFactorRequired': {
    title: '登录必须使用谷歌验证码',
    schema: yesOrNo,
    initial: 'false',
  },
  'security.sessionDays': {
    title: '一次登录最长有效天数（0 为不限）',
    schema: integer('参数值', { min: 0, max: 3650 }),
    initial: '7',
  },
  'console.watermark': {
    title: '在控制台上显示操作员与时间的水印',
    schema: yesOrNo,
    initial: 'false',
  },
  'approval.enabled': {
    title: '重要操作须由另一名操作员复核',
    schema: yesOrNo,
    initial: 'false',
  },
  'approval.moneyAbove': { title: '人工加扣款超过此金额须复核（0 为全部）', schema: limit, initial: '0' },
  'approval.withdrawalAbove': { title: '提现打款超过此金额须复核（0 为全部）', schema: limit, initial: '0' },
  'approval.expireHours': {
    title: '待复核多少小时后过期（1 至 720）',
    schema: integer('参数值', { min: 1, max: 720 }),
    initial: '24',
  },
  'deposit.minAmount': { title: '单笔充值最低金额（0 为不限）', schema: limit, initial: '0' },
  'deposit.maxAmount': { title: '单笔充值最高金额（0 为不限）', schema: limit, initial: '0' },
  'withdraw.minAmount': { title: '单笔提现最低金额（0 为不限）', schema: limit, initial: '0' },
  'withdraw.maxAmount': { title: '单笔提现最高金额（0 为不限）', schema: limit, initial: '0' },
  'desk.takeMinutes': {
    title: '资金工作台领取的订单多少分钟后自动放回（1 至 240）',
    schema: integer('参数值', { min: 1, max: 240 }),
    initial: '10',
  },
  'deposit.promisedMinutes': {
    title: '充值订单承诺多少分钟内处理（0 为不承诺）',
    schema: minutes,
    initial: '15',
  },
  'withdraw.promisedMinutes': {
    title: '提现订单承诺多少分钟内处理（0 为不承诺）',
    schema: minutes,
    initial: '60',
  },
  'deposit.rejectReasons': {
    title: '拒绝充值的常用原因（以；分隔，最多 9 条）',
    schema: reasons,
    initial: '未收到款项；到账金额与订单不符；付款人与实名不符',
  },
  'withdraw.rejectReasons': {
    title: '拒绝提现的常用原因（以；分隔，最多 9 条）',
    schema: reasons,
    initial: '收款账户有误；收款人与实名不符；请联系客服核实',
  },
  'account.remarkAbove': {
    title: '人工加扣款超过此金额须填写备注（0 为不要求）',
    schema: limit,
    initial: '0',
  },
  'limit.raiseWaitHours': {
    title: '用户调高或取消自己的限额多少小时后生效（1 至 8760）',
    schema: integer('参数值', { min: 1, max: 8760 }),
    initial: '24',
  },
  'bet.holdPayoutAbove': {
    title: '单张注单派彩超过此金额须放行后入账（0 为不限）',
    schema: limit,
    initial: '0',
  },
  'bet.exposureWarnAbove': {
    title: '单期风险中亏损超过此金额时警示（0 为不警示）',
    schema: limit,
    initial: '0',
  },
  'bet.entrySilentMinutes': {
    title: '所有来源无响应多少分钟后可人工录入结果',
    schema: integer('参数值', { min: 1, max: 10_000 }),
    initial: '30',
  },
  'bet.entryWaitMinutes': {
    title: '人工录入的结果等待多少分钟后生效',
    schema: integer('参数值', { min: 1, max: 10_000 }),
    initial: '10',
  },
  'bet.siteCancel': { title: '封盘前允许玩家站撤单', schema: yesOrNo, initial: 'true' },
  'report.dayStart': {
    title: '报表一天的开始时间（HH:mm，改动只对以后投注的注单生效）',
    schema: text('参数值').refine((value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value), {
      error: '须为 HH:mm 格式的时间',
    }),
    initial: '00:00',
  },
  'rebate.opposing': {
    title: '对打注单的有效投注（BOTH 两边都不算，DIFFERENCE 只算差额）',
    schema: choice('参数值', { BOTH: '两边都不算', DIFFERENCE: '只算差额' }),
    initial: 'BOTH',
  },
  'rebate.ownSlips': { title: '代理本人的注单也计返点', schema: yesOrNo, initial: 'false' },
  'invite.reward': { title: '每邀请一名有效用户的奖励（0 为不奖励）', schema: limit, initial: '0' },
  'invite.minDeposit': { title: '被邀请人累计充值达到此金额才算有效', schema: limit, initial: '100' },
  'invite.turnoverTimes': { title: '被邀请人有效投注须达到充值的多少倍', schema: limit, initial: '1' },
  'invite.mostPerDay': {
    title: '每名邀请人每日最多奖励几人（0 为不限）',
    schema: integer('参数值', { min: 0, max: 100_000 }),
    initial: '10',
  },
  'turnover.depositTimes': { title: '充值须完成几倍流水才能提现（0 为不要求）', schema: limit, initial: '0' },
  'turnover.giftTimes': {
    title: '充值赠送须完成几倍流水才能提现（0 为不要求）',
    schema: limit,
    initial: '0',
  },
  'mail.fromAddress': {
    title: '邮件发件人地址（留空为邮件配置的用户名）',
    schema: text('参数值', { min: 0, max: 254 }).refine((value) => value === '' || isMailAddress(value), {
      error: '须为一个邮箱地址',
    }),
    initial: '',
  },
  'mail.fromName': {
    title: '邮件发件人名称',
    schema: text('参数值', { min: 0, max: 100 }).refine((value) => !breaksLines(value), {
      error: '不能含有换行或控制字符',
    }),
    initial: '',
  },
  'anchor.minutes': {
    title: '每隔多少分钟取一个封存锚点（0 为不取）',
    schema: integer('参数值', { min: 0, max: 10_080 }),
    initial: '60',
  },
  'anchor.mailTo': {
    title: '封存锚点发往的邮箱（留空不发）',
    schema: text('参数值', { min: 0, max: 254 }).refine((value) => value === '' || isMailAddress(value), {
      error: '须为一个邮箱地址',
    }),
    initial: '',
  },
  'anchor.webhookUrl': {
    title: '封存锚点发往的网址（POST，留空不发）',
    schema: text('参数值', { min: 0, max: 500 }).refine(
      (value) => value === '' || (/^https?:\/\/./.test(value) && URL.canParse(value)),
      { error: '须为 http 或 https 网址' },
    ),
    initial: '',
  },
  'retention.changeRecordDays': {
    title: '操作日志保留天数（至少 90，0 为永久）',
    schema: daysKept(90),
    initial: '1095',
  },
  'retention.mailDays': {
    title: '邮件发送记录保留天数（至少 7，0 为永久）',
    schema: daysKept(7),
    initial: '180',
  },
  'retention.loginRecordDays': {
    title: '登录日志保留天数（至少 7，0 为永久）',
    schema: daysKept(7),
    initial: '180',
  },
} as const;

type Known = typeof knownParams;
export type ParamKey = keyof Known;
/** What a parameter is worth to its reader: a boolean for a switch, exact decimal text for an amount. */
export type ParamValue<K extends ParamKey> = Known[K]['schema']['_zod']['output'];

export const isKnownParam = (key: string): key is ParamKey => Object.hasOwn(knownParams, key);

/** A lowest amount with its highest: the two must leave something between them. */
export const amountPairs: readonly (readonly [lowest: ParamKey, highest: ParamKey])[] = [
  ['deposit.minAmount', 'deposit.maxAmount'],
  ['withdraw.minAmount', 'withdraw.maxAmount'],
];
