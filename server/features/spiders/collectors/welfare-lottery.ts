import type { Collector } from './collector.ts';
import { at, drawnResult, fieldOf, momentFrom, numbersOf, readJson, rowsOf } from './drawn-result.ts';

/** Its other games have no blue ball, and an empty field for it. */
const BLUE_BALL_GAMES = /双色球|七乐彩/;

/** Red balls, then the blue one where the game has it, then a second blue one where there was such a draw. */
function ballsOf(row: Readonly<Record<string, unknown>>): unknown[] {
  const hasBlue = typeof row.name === 'string' && BLUE_BALL_GAMES.test(row.name);
  return [row.red, ...(hasBlue || row.blue ? [row.blue] : []), ...(row.blue2 ? [row.blue2] : [])];
}

/** cwl.gov.cn `findDrawNotice`: `result[]` of `code`, `red` and `blue` (the blue ball comes last), `date` with a weekday. */
export const welfareLottery: Collector = {
  name: 'WelfareLotterySpider',
  desc: '中国福利彩票官网（cwl.gov.cn）开奖公告：双色球、福彩3D、七乐彩、快乐8',
  fetches: true,
  read: (body) =>
    rowsOf(at(readJson(body), 'result'), (row) => 'code' in row).flatMap((row) =>
      drawnResult(row.code, numbersOf(...ballsOf(row)), momentFrom(fieldOf(row, 'date'))),
    ),
};
