import { noOptions, numberOf, resultHandler } from './result-handler.ts';

/** 尾数: the last digits of the positions, each as `3` and as `3尾`. */
export const tailHandler = resultHandler({
  name: 'TailHandler',
  title: '尾数',
  sentence: '所选各位置号码的尾数中奖，号码写作 3 或 3尾 均可。',
  positions: [1, 100],
  options: noOptions,
  read: ({ values }) => {
    const tails = new Set(values.map((value) => String(numberOf(value) % 10)));
    return { winners: [...tails].flatMap((tail) => [`${tail}尾`, tail]), pushes: [] };
  },
});
