import { z } from 'zod';
import { numberOf, resultHandler } from './result-handler.ts';

const shapes = ['豹子', '顺子', '对子', '半顺', '杂六'] as const;

/** Neighbouring values; on a circle of digits 9 and 0 are neighbours too. */
const areNeighbours = (low: number, high: number, isCircle: boolean): boolean =>
  high - low === 1 || (isCircle && low === 0 && high === 9);

/** Which of the five shapes three values have; exactly one. */
export function shapeOf(values: readonly number[], isCircle: boolean): (typeof shapes)[number] {
  const [low = 0, middle = 0, high = 0] = values.toSorted((a, b) => a - b);
  if (low === high) return '豹子';
  if (low === middle || middle === high) return '对子';
  const pairs = [
    [low, middle],
    [middle, high],
    [low, high],
  ] as const;
  const neighbours = pairs.filter(([a, b]) => areNeighbours(a, b, isCircle)).length;
  return (['杂六', '半顺', '顺子'] as const)[neighbours] ?? '杂六';
}

/** 豹子, 顺子, 对子, 半顺 or 杂六 of three positions. */
export const shapeHandler = resultHandler({
  name: 'ShapeHandler',
  version: 1,
  title: '形态',
  sentence:
    '三个位置的豹子、顺子、对子、半顺、杂六。参数：circle 为 9 与 0 是否相连（默认 true，即时时彩；快3 为 false）。',
  positions: [3, 3],
  options: z.strictObject({
    circle: z.boolean('须为 true 或 false').default(true).meta({ title: '首尾相连算顺子' }),
  }),
  exactlyOne: () => shapes,
  read: ({ values }, { circle }) => ({ winners: [shapeOf(values.map(numberOf), circle)], pushes: [] }),
});
