import { z } from 'zod';
import { pushed, resultHandler, sumOf } from './result-handler.ts';

const blue = new Set([3, 4, 9, 10, 14, 15, 20, 25, 26, 31, 36, 37, 41, 42, 47, 48]);
const green = new Set([5, 6, 11, 16, 17, 21, 22, 27, 28, 32, 33, 38, 39, 43, 44, 49]);

/** The colour of a ball of 六合彩, 1 to 49. */
function colourOfBall(ball: number): string {
  if (blue.has(ball)) return '蓝波';
  return green.has(ball) ? '绿波' : '红波';
}

const colourOfRest = (sum: number): string => ['红波', '绿波', '蓝波'][sum % 3] ?? '';

/** 波色 of a ball, or of a sum by its rest when divided by three. */
export const colourWaveHandler = resultHandler({
  name: 'ColourWaveHandler',
  version: 1,
  title: '波色',
  sentence:
    '红波、绿波、蓝波。参数：scheme 为 MARK_SIX（默认，六合彩球色）或 REST（所选位置之和除以 3，余 0 红、1 绿、2 蓝，即 PC28），push 为退本金的号码或和值。',
  positions: [1, 100],
  options: z.strictObject({
    scheme: z
      .enum(['MARK_SIX', 'REST'], '须为 MARK_SIX 或 REST')
      .default('MARK_SIX')
      .meta({ title: '波色', choices: { MARK_SIX: '六合彩波色', REST: '除以 3 的余数' } }),
    push: pushed,
  }),
  bySum: () => true,
  exactlyOne: () => ['红波', '绿波', '蓝波'],
  read: (drawn, { scheme, push }) => {
    const sum = sumOf(drawn);
    if (push.includes(sum)) return { winners: [], pushes: ['红波', '绿波', '蓝波'] };
    return { winners: [scheme === 'REST' ? colourOfRest(sum) : colourOfBall(sum)], pushes: [] };
  },
});
