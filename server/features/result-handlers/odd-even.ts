import { z } from 'zod';
import { measure, measured, numberOf, pushed, resultHandler, wordReading } from './result-handler.ts';

/** 单双 of one position, by its value, last digit or digit sum (合单, 合双). */
export const oddEvenHandler = resultHandler({
  name: 'OddEvenHandler',
  version: 1,
  title: '单双',
  sentence:
    '一个位置的单双。参数：push 为和局退本金的号码（六合彩为 [49]），measure 为比较的内容（value 号码、tail 尾数、digitSum 合数）。',
  positions: [1, 1],
  options: z.strictObject({ push: pushed, measure }),
  exactlyOne: () => ['单', '双'],
  read: ({ values: [value = ''] }, { push, measure: by }) => {
    const drawn = numberOf(value);
    return wordReading(measured(drawn, by) % 2 === 1 ? '单' : '双', ['单', '双'], push.includes(drawn));
  },
});
