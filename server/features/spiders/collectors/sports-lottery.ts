import type { Collector } from './collector.ts';
import { at, drawnResult, momentFrom, numbersOf, readJson, rowsOf } from './drawn-result.ts';

/** sporttery.cn `getHistoryPageListV1`: `value.list[]`, or only `value.lastPoolDraw` where the list is empty. */
export const sportsLottery: Collector = {
  name: 'SportsLotterySpider',
  desc: '中国体育彩票官网（sporttery.cn）历史开奖：大乐透、排列3、排列5、七星彩',
  fetches: true,
  read: (body) => {
    const value = at(readJson(body), 'value');
    const isRow = (row: object) => 'lotteryDrawNum' in row;
    const list = rowsOf(at(value, 'list'), isRow);
    return (list.length > 0 ? list : rowsOf(at(value, 'lastPoolDraw'), isRow)).flatMap((row) =>
      drawnResult(row.lotteryDrawNum, numbersOf(row.lotteryDrawResult), momentFrom(row.lotteryDrawTime)),
    );
  },
};
