import { z } from 'zod';
import {
  bigFrom,
  lostTriple,
  pushed,
  resultHandler,
  sumOf,
  tripleLoses,
  wordReading,
} from './result-handler.ts';

/** 和值大小. */
export const sumBigSmallHandler = resultHandler({
  name: 'SumBigSmallHandler',
  version: 1,
  title: '和值大小',
  sentence:
    '所选位置之和的大小。参数：from 为“大”的起点（默认 23，快3 为 11，PK10 冠亚和为 12，PC28 为 14），push 为和局退本金的和值，tripleLoses 为三个号码相同时是否通吃（默认 false）。',
  positions: [1, 100],
  options: z.strictObject({ from: bigFrom(23), push: pushed, tripleLoses }),
  bySum: ({ tripleLoses }) => !tripleLoses,
  exactlyOne: ({ tripleLoses }) => (tripleLoses ? null : ['大', '小']),
  read: (drawn, { from, push, tripleLoses: loses }) => {
    const sum = sumOf(drawn);
    return (
      lostTriple(drawn, loses) ?? wordReading(sum >= from ? '大' : '小', ['大', '小'], push.includes(sum))
    );
  },
});
