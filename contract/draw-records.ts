import { z } from 'zod';
import { granted, query } from './endpoint.ts';
import { dateTime, flag, id, paged, pageOf, range, text } from './fields.ts';
import { gameId, openTime, phase } from './named-fields.ts';

const result = text('开奖结果', { max: 500 });
const source = text('来源');

/** What draw records are searched by. */
export const drawRecordFilters = { phase, openTimeRange: range('开奖时间') };

/**
 * What was drawn. The first result of a phase stands, with its `source`; `conflict` is true while another source says
 * otherwise, and `conflicts` holds what those said.
 */
export const DrawRecord = z.object({
  id: id(),
  gameId,
  phase,
  result,
  openTime,
  createTime: dateTime('采集时间'),
  source: source.nullable(),
  conflict: flag('结果冲突'),
  conflicts: z.array(z.object({ source, result, openTime })).meta({ title: '冲突结果' }),
});
export type DrawRecord = z.infer<typeof DrawRecord>;

export const pageDrawRecords = query('POST /game/openLotteryRecord/page', {
  summary: '分页查询开奖记录',
  body: 'form',
  input: paged({ gameId, ...drawRecordFilters }),
  output: pageOf(DrawRecord),
  access: granted('/main/game/open-record'),
});
