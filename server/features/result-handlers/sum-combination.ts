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

/** 大单, 大双, 小单, 小双 of the sum; with one position of the value drawn there. */
export const sumCombinationHandler = resultHandler({
  name: 'SumCombinationHandler',
  version: 1,
  title: '大小单双组合',
  sentence:
    '所选位置之和的大单、大双、小单、小双。参数：from 为“大”的起点（默认 14，即 PC28），push 为和局退本金的和值，tripleLoses 为三个号码相同时是否通吃（默认 false）。',
  positions: [1, 100],
  options: z.strictObject({ from: bigFrom(14), push: pushed, tripleLoses }),
  bySum: ({ tripleLoses }) => !tripleLoses,
  exactlyOne: ({ tripleLoses }) => (tripleLoses ? null : ['大单', '大双', '小单', '小双']),
  read: (drawn, { from, push, tripleLoses: loses }) => {
    const sum = sumOf(drawn);
    const word = (sum >= from ? '大' : '小') + (sum % 2 === 1 ? '单' : '双');
    return (
      lostTriple(drawn, loses) ?? wordReading(word, ['大单', '大双', '小单', '小双'], push.includes(sum))
    );
  },
});
