import { z } from 'zod';
import { lostTriple, pushed, resultHandler, sumOf, tripleLoses, wordReading } from './result-handler.ts';

/** 和值单双. */
export const sumOddEvenHandler = resultHandler({
  name: 'SumOddEvenHandler',
  version: 1,
  title: '和值单双',
  sentence:
    '所选位置之和的单双。参数：push 为和局退本金的和值，tripleLoses 为三个号码相同时是否通吃（默认 false）。',
  positions: [1, 100],
  options: z.strictObject({ push: pushed, tripleLoses }),
  bySum: ({ tripleLoses }) => !tripleLoses,
  exactlyOne: ({ tripleLoses }) => (tripleLoses ? null : ['单', '双']),
  read: (drawn, { push, tripleLoses: loses }) => {
    const sum = sumOf(drawn);
    return (
      lostTriple(drawn, loses) ?? wordReading(sum % 2 === 1 ? '单' : '双', ['单', '双'], push.includes(sum))
    );
  },
});
