import { z } from 'zod';
import {
  bigFrom,
  measure,
  measured,
  numberOf,
  pushed,
  resultHandler,
  wordReading,
} from './result-handler.ts';

/** 大小: one position against a boundary, by its value, last digit (尾大 from 5) or digit sum (合大 from 7). */
export const bigSmallHandler = resultHandler({
  name: 'BigSmallHandler',
  version: 1,
  title: '大小',
  sentence:
    '一个位置的大小。参数：from 为“大”的起点（默认 5，PK10 为 6，六合彩为 25），push 为和局退本金的号码（六合彩为 [49]），measure 为比较的内容（value 号码、tail 尾数、digitSum 合数）。',
  positions: [1, 1],
  options: z.strictObject({ from: bigFrom(5), push: pushed, measure }),
  exactlyOne: () => ['大', '小'],
  read: ({ values: [value = ''] }, { from, push, measure: by }) => {
    const drawn = numberOf(value);
    return wordReading(measured(drawn, by) >= from ? '大' : '小', ['大', '小'], push.includes(drawn));
  },
});
