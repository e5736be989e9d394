import { allThatCouldBe, noOptions, numberOf, resultHandler } from './result-handler.ts';

const tailOf = (value: string): string => `${numberOf(value) % 10}尾`;
const named = (number: string): string => (/^\d$/.test(number) ? `${number}尾` : number);

/** 尾数: the last digits of the positions, each as `3` and as `3尾`. */
export const tailHandler = resultHandler({
  name: 'TailHandler',
  version: 1,
  title: '尾数',
  sentence: '所选各位置号码的尾数中奖，号码写作 3 或 3尾 均可。',
  positions: [1, 100],
  options: noOptions,
  judges: ['SINGLE', 'COMBINATION'],
  units: () => ({ counts: 'NUMBERS', member: tailOf, named, ...allThatCouldBe }),
  read: ({ values }) => {
    const tails = new Set(values.map(tailOf));
    return { winners: [...tails].flatMap((tail) => [tail, tail.slice(0, 1)]), pushes: [] };
  },
});
