import { z } from 'zod';
import { numberOf, type Reading, resultHandler } from './result-handler.ts';

function tied(rule: 'PUSH' | 'LOSE'): Reading {
  return { winners: ['和'], pushes: rule === 'PUSH' ? ['龙', '虎'] : [] };
}

/** 龙虎: whether the first of two positions is above the second. */
export const dragonTigerHandler = resultHandler({
  name: 'DragonTigerHandler',
  version: 1,
  title: '龙虎',
  sentence:
    '两个位置相比，前者大为龙，后者大为虎，相等为和。参数：tie 为开和时龙虎的结果，PUSH 退本金（默认）或 LOSE 算输。',
  positions: [2, 2],
  options: z.strictObject({
    tie: z
      .enum(['PUSH', 'LOSE'], '须为 PUSH 或 LOSE')
      .default('PUSH')
      .meta({ title: '相同时龙虎', choices: { PUSH: '退本金', LOSE: '不中（可投“和”）' } }),
  }),
  exactlyOne: ({ tie }) => (tie === 'PUSH' ? ['龙', '虎'] : ['龙', '虎', '和']),
  givenBackWith: ({ tie }) => new Map([['和', tied(tie).pushes]]),
  read: ({ values: [first = '', second = ''] }, { tie }) => {
    const difference = numberOf(first) - numberOf(second);
    return difference === 0 ? tied(tie) : { winners: [difference > 0 ? '龙' : '虎'], pushes: [] };
  },
});
