import { canonical, noOptions, resultHandler, sumOf, WON } from './result-handler.ts';

/** 和值: the sum of the positions. */
export const sumHandler = resultHandler({
  name: 'SumHandler',
  version: 1,
  title: '和值',
  sentence: '所选位置之和即中奖号码；一次选多个和值时，开出其中之一即中奖。',
  positions: [1, 100],
  options: noOptions,
  judges: ['SINGLE', 'COMBINATION'],
  bySum: () => true,
  units: () => ({
    seen: (values) => [String(sumOf({ values, date: '' }))],
    ...{ counts: 'NUMBERS', member: canonical, named: canonical, outcomes: null },
    row: ([hits = 0]) => (hits === 1 ? WON : undefined),
  }),
  exactlyOne: () => 'numbers',
  read: (drawn) => ({ winners: [String(sumOf(drawn))], pushes: [] }),
});
