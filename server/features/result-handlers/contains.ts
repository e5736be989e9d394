import { allThatCouldBe, canonical, noOptions, resultHandler } from './result-handler.ts';

const timesIn = (part: string, parts: readonly string[]): number =>
  parts.filter((other) => other === part).length;

/** Tells whether all parts are among the values, each value used once; quick to refuse, as most combinations are. */
function among(values: readonly string[]): (parts: readonly string[]) => boolean {
  const drawn = new Set(values);
  return (parts) =>
    parts.every((part) => drawn.has(part)) &&
    parts.every((part) => timesIn(part, parts) <= timesIn(part, values));
}

/** 包含: a number wins when it, or every part of a combination such as `1,1,2`, was drawn at any of the positions. */
export const containsHandler = resultHandler({
  name: 'ContainsHandler',
  version: 1,
  title: '包含',
  sentence:
    '号码出现在所选的任一位置即中奖，不计顺序；组合号码（如 1,1,2）须全部出现。所选号码比位置多时（如任选八），开出的号码须全在其中。',
  positions: [1, 100],
  options: noOptions,
  judges: ['SINGLE', 'COMBINATION', 'GROUP'],
  units: () => ({ counts: 'NUMBERS', member: canonical, named: canonical, ...allThatCouldBe }),
  read: ({ values }) => {
    const drawn = values.map(canonical);
    return { winners: [...new Set(drawn)], pushes: [], wins: among(drawn) };
  },
});
