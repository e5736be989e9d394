import { z } from 'zod';
import { pushed, resultHandler, sumOf, wordReading } from './result-handler.ts';

/** 和值单双. */
export const sumOddEvenHandler = resultHandler({
  name: 'SumOddEvenHandler',
  title: '和值单双',
  sentence: '所选位置之和的单双。参数：push 为和局退本金的和值。',
  positions: [1, 100],
  options: z.strictObject({ push: pushed }),
  exactlyOne: () => ['单', '双'],
  read: (drawn, { push }) => {
    const sum = sumOf(drawn);
    return wordReading(sum % 2 === 1 ? '单' : '双', ['单', '双'], push.includes(sum));
  },
});
