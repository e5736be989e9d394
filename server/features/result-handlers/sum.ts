import { noOptions, resultHandler, sumOf } from './result-handler.ts';

/** 和值: the sum of the positions. */
export const sumHandler = resultHandler({
  name: 'SumHandler',
  title: '和值',
  sentence: '所选位置之和即中奖号码。',
  positions: [1, 100],
  options: noOptions,
  bySum: () => true,
  exactlyOne: () => 'numbers',
  read: (drawn) => ({ winners: [String(sumOf(drawn))], pushes: [] }),
});
