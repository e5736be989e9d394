import { canonical, noOptions, resultHandler } from './result-handler.ts';

/** 号码: the number drawn at the position; with several positions the numbers drawn there, in their order. */
export const valueHandler = resultHandler({
  name: 'ValueHandler',
  version: 1,
  title: '号码',
  sentence: '所选位置开出的号码中奖；多个位置时，须按顺序全部猜中（如 1,2,3）。',
  positions: [1, 20],
  options: noOptions,
  judges: ['SINGLE', 'PLACES'],
  exactlyOne: () => 'numbers',
  read: ({ values }) => ({ winners: [values.map(canonical).join(',')], pushes: [] }),
});
