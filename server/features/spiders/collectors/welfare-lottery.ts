import type { Collector } from './collector.ts';
import { at, drawnResult, fieldOf, momentFrom, numbersOf, readJson, rowsOf } from './drawn-result.ts';

/** cwl.gov.cn `findDrawNotice`: `result[]` of `code`, `red` and `blue` (the blue ball comes last), `date` with a weekday. */
export const welfareLottery: Collector = {
  name: 'WelfareLotterySpider',
  desc: '中国福利彩票官网（cwl.gov.cn）开奖公告：双色球、福彩3D、七乐彩、快乐8',
  fetches: true,
  read: (body) =>
    rowsOf(at(readJson(body), 'result'), (row) => 'code' in row).flatMap((row) =>
      drawnResult(row.code, numbersOf(row.red, row.blue, row.blue2), momentFrom(fieldOf(row, 'date'))),
    ),
};
