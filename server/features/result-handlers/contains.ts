import { canonical, noOptions, resultHandler } from './result-handler.ts';

/** Whether all parts are among the values, each value used once. */
function isAmong(parts: readonly string[], values: readonly string[]): boolean {
  const left = [...values];
  return parts.every((part) => {
    const place = left.indexOf(part);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

/** 包含: a number wins when it, or every part of a combination such as `1,1,2`, was drawn at any of the positions. */
export const containsHandler = resultHandler({
  name: 'ContainsHandler',
  title: '包含',
  sentence: '号码出现在所选的任一位置即中奖，不计顺序；组合号码（如 1,1,2）须全部出现。',
  positions: [1, 100],
  options: noOptions,
  read: ({ values }) => {
    const drawn = values.map(canonical);
    return { winners: [...new Set(drawn)], pushes: [], wins: (parts) => isAmong(parts, drawn) };
  },
});
