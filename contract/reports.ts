import { z } from 'zod';
import { granted, query } from './endpoint.ts';
import { choice, days, integer, paged, pageOf, signedMoney, sorts, text } from './fields.ts';
import { agentId, gameId, userId } from './named-fields.ts';
import { ref } from './ref.ts';
import { told } from './wording.ts';

export const heading = '盈亏报表';

/** What the rows of the report are of. */
export const reportGroup = choice('汇总方式', {
  DAY: '按日',
  GAME: '按游戏',
  PLAY_WAY: '按玩法',
  USER: '按用户',
  AGENT: '按代理',
});
export type ReportGroup = z.infer<typeof reportGroup>;

const figures = {
  slips: integer('注单数', { min: 0 }),
  players: integer('投注人数', { min: 0 }),
  stake: signedMoney('投注额'),
  turnover: signedMoney('有效投注'),
  payout: signedMoney('派彩'),
  writtenOff: signedMoney('其中核销'),
  refund: signedMoney('退还'),
  rebate: signedMoney('返水'),
  result: signedMoney('平台盈亏'),
  rate: signedMoney('盈亏率（%）').nullable(),
  unsettled: signedMoney('未结算'),
};

/**
 * What slips came to. `turnover` is stake less refund, `result` stake less refund, payout and rebate: above zero the house won; `rate` is
 * the result in a hundred of turnover. `payout` holds debts that were written off (`writtenOff`), since the player keeps them. `unsettled`
 * are the stakes among them whose draw has not decided yet.
 */
export const ReportTotals = z.object(figures);
export type ReportTotals = z.infer<typeof ReportTotals>;

/** A day, game, play way, player or agent; `key` is the day or the id, 0 where something belongs to none. */
export const ReportRow = z.object({ key: text('编号'), name: told(text('名称')), ...figures });
export type ReportRow = z.infer<typeof ReportRow>;

/**
 * `totals` are of all that is found, each slip and player once, whatever the rows are of. Rows of agents under an agent are that one and
 * those below.
 */
export const pageReport = query('POST /bet/report/page', {
  summary: '盈亏报表',
  body: 'form',
  input: paged({
    range: days('日期'),
    gameId,
    playWayId: ref('playWay', '玩法'),
    userId,
    agentId,
    sort: sorts(
      ...(['key', 'slips', 'players', 'stake', 'turnover', 'payout', 'refund'] as const),
      ...(['rebate', 'result', 'rate', 'unsettled', 'writtenOff'] as const),
    ),
  }).extend({ groupBy: reportGroup.default('DAY') }),
  output: pageOf(ReportRow).extend({ totals: ReportTotals }),
  access: granted('/main/bet/report'),
});
