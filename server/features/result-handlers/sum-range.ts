import { z } from 'zod';
import { resultHandler, sumOf } from './result-handler.ts';

const bound = z.int('须为整数').min(0, '不能小于 0').max(100_000, '过大');
const part = z
  .tuple([bound, bound], '须为 [最小, 最大]')
  .refine(([from, to]) => from <= to, '的最小值不能大于最大值');

/** 和值段: named parts of the sum's range, such as 极大 and 极小 of PC28 or the five elements of 快乐8. */
export const sumRangeHandler = resultHandler({
  name: 'SumRangeHandler',
  version: 1,
  title: '和值段',
  sentence:
    '所选位置之和落在哪些段。参数：ranges 为各段的名称与最小、最大和值，两端都算在内，默认 PC28 的 {"极小": [0, 5], "极大": [22, 27]}。',
  positions: [1, 100],
  options: z.strictObject({
    ranges: z
      .record(z.string().min(1).max(30), part, '须为名称与 [最小, 最大]')
      .default({ 极小: [0, 5], 极大: [22, 27] })
      .meta({ title: '名称与 [最小, 最大]' }),
  }),
  bySum: () => true,
  read: (drawn, { ranges }) => {
    const sum = sumOf(drawn);
    const hit = Object.entries(ranges).filter(([, [from, to]]) => sum >= from && sum <= to);
    return { winners: hit.map(([name]) => name), pushes: [] };
  },
});
