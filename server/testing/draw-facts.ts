/*
 * What won in a draw, by the name of each play way of the presets, worked out by listing and counting and without any of the
 * program's own rules: what result handlers say is compared with it.
 */

import {
  ascending,
  bigWithin,
  duel,
  type FactsOfDraw,
  given,
  groups,
  named,
  pairs,
  parityOf,
  subsets,
  total,
  within,
  won,
} from './facts.ts';
import { markSixFacts } from './mark-six-facts.ts';

const circle = '0123456789012';
/** 豹子, 对子 by counting the different digits; 顺子 and 半顺 by looking them up on the circle from 0 to 9 and on. */
function shapeOf(digits: readonly number[], line = circle): string {
  const different = [...new Set(digits)];
  if (different.length < 3) return different.length === 1 ? '豹子' : '对子';
  const stands = (text: string) => line.includes(text) || line.includes([...text].reverse().join(''));
  const [a = 0, b = 0, c = 0] = digits;
  const orders = [`${a}${b}${c}`, `${a}${c}${b}`, `${b}${a}${c}`];
  if (orders.some(stands)) return '顺子';
  return [`${a}${b}`, `${a}${c}`, `${b}${c}`].some(stands) ? '半顺' : '杂六';
}

const pk10Places = [
  '冠军',
  '亚军',
  '第三名',
  '第四名',
  '第五名',
  '第六名',
  '第七名',
  '第八名',
  '第九名',
  '第十名',
];

function pk10(drawn: readonly number[]): FactsOfDraw {
  const at = (place: number) => drawn[place] ?? 0;
  const sum = total(drawn.slice(0, 2));
  return {
    ...named(pk10Places, (place) => won(String(at(place))), '号码'),
    ...named(pk10Places, (place) => bigWithin(6, 10, at(place)), '大小'),
    ...named(pk10Places, (place) => parityOf(at(place)), '单双'),
    ...named(pk10Places.slice(0, 5), (place) => duel(at(place), at(9 - place)), '龙虎'),
    冠亚和值: won(String(sum)),
    冠亚大小: bigWithin(12, 19, sum),
    冠亚单双: parityOf(sum),
    冠亚组合: won(ascending(drawn.slice(0, 2)).join(',')),
  };
}

function ssc(drawn: readonly number[]): FactsOfDraw {
  const at = (place: number) => drawn[place] ?? 0;
  const places = ['万位', '千位', '百位', '十位', '个位'];
  const isTie = at(0) === at(4);
  const [first, last] = [groups(drawn.slice(0, 3)), groups(drawn.slice(2))];
  return {
    ...named(places, (place) => won(String(at(place))), '号码'),
    ...named(places, (place) => bigWithin(5, 9, at(place)), '大小'),
    ...named(places, (place) => parityOf(at(place)), '单双'),
    总和大小: bigWithin(23, 45, total(drawn)),
    总和单双: parityOf(total(drawn)),
    前二直选: won(`${at(0)},${at(1)}`),
    后二直选: won(`${at(3)},${at(4)}`),
    ...{ 前三组选三: first.three, 前三组选六: first.six, 后三组选三: last.three, 后三组选六: last.six },
    龙虎和: isTie ? { wins: ['和'], pushes: ['龙', '虎'] } : duel(at(0), at(4)),
    ...named(['前三', '中三', '后三'], (first) => won(shapeOf(drawn.slice(first, first + 3))), '形态'),
  };
}

function k3(drawn: readonly number[]): FactsOfDraw {
  const dice = ascending(drawn);
  const counts = Map.groupBy(dice, (face) => face);
  const doubled = [...counts].filter(([, all]) => all.length > 1).map(([face]) => face);
  const others = (pair: number) => [...counts.keys()].filter((face) => face !== pair);
  const triple = counts.size === 1 ? won(dice.join(',')) : won();
  return {
    和值: won(String(total(dice))),
    和值大小: bigWithin(11, 18, total(dice)),
    和值单双: parityOf(total(dice)),
    三同号单选: triple,
    通选: won(shapeOf(dice, '123456')),
    二同号复选: won(...doubled.map((face) => `${face},${face}`)),
    二同号单选: won(...doubled.flatMap((face) => others(face).map((other) => `${face},${face},${other}`))),
    三不同号: counts.size === 3 ? won(dice.join(',')) : won(),
    二不同号: won(...pairs([...counts.keys()])),
  };
}

function elevenChooseFive(drawn: readonly number[]): FactsOfDraw {
  const places = ['第一球', '第二球', '第三球', '第四球', '第五球'];
  const at = (place: number) => drawn[place] ?? 0;
  const sum = total(drawn);
  return {
    ...named(places, (place) => won(String(at(place))), '号码'),
    ...named(places, (place) => (at(place) === 11 ? given('大', '小') : bigWithin(6, 10, at(place))), '大小'),
    ...named(places, (place) => (at(place) === 11 ? given('单', '双') : parityOf(at(place))), '单双'),
    总和大小: sum === 30 ? given('大', '小') : bigWithin(31, 45, sum),
    总和单双: parityOf(sum),
    龙虎: duel(at(0), at(4)),
    任选一: won(...drawn.map(String)),
    任选二: won(...pairs(ascending(drawn))),
    任选三: won(...subsets(ascending(drawn), 3)),
    任选四: won(...subsets(ascending(drawn), 4)),
    任选五: won(ascending(drawn).join(',')),
    前二直选: won(`${at(0)},${at(1)}`),
    前二组选: won(ascending(drawn.slice(0, 2)).join(',')),
    前三组选: won(ascending(drawn.slice(0, 3)).join(',')),
  };
}

function pc28(drawn: readonly number[]): FactsOfDraw {
  const sum = total(drawn);
  const [side = ''] = bigWithin(14, 27, sum).wins;
  const [parity = ''] = parityOf(sum).wins;
  const colours = ['红波', '绿波', '蓝波'];
  const ends = [...(within(0, 5, sum) ? ['极小'] : []), ...(within(22, 27, sum) ? ['极大'] : [])];
  return {
    特码: won(String(sum)),
    大小: won(side),
    单双: won(parity),
    组合: won(side + parity),
    极值: won(...ends),
    // Casting out threes: the rest of the digits' sum is that of the number.
    波色: won(colours[[...String(sum)].reduce((rest, digit) => (rest + Number(digit)) % 3, 0)] ?? ''),
    形态: won(shapeOf(drawn)),
  };
}

function threeDigits(drawn: readonly number[]): FactsOfDraw {
  const places = ['百位', '十位', '个位'];
  const at = (place: number) => drawn[place] ?? 0;
  return {
    ...named(places, (place) => won(String(at(place))), '号码'),
    ...named(places, (place) => bigWithin(5, 9, at(place)), '大小'),
    ...named(places, (place) => parityOf(at(place)), '单双'),
    直选: won(drawn.join(',')),
    组选三: groups(drawn).three,
    组选六: groups(drawn).six,
    和值: won(String(total(drawn))),
    和值大小: bigWithin(14, 27, total(drawn)),
    和值单双: parityOf(total(drawn)),
    形态: won(shapeOf(drawn)),
  };
}

function doubleColour(drawn: readonly number[]): FactsOfDraw {
  const reds = drawn.slice(0, 6);
  const [blue = 0] = drawn.slice(6);
  return {
    红球号码: won(...reds.map(String)),
    红球总和大小: bigWithin(103, 183, total(reds)),
    红球总和单双: parityOf(total(reds)),
    蓝球号码: won(String(blue)),
    蓝球大小: bigWithin(9, 16, blue),
    蓝球单双: parityOf(blue),
  };
}

function happy8(drawn: readonly number[]): FactsOfDraw {
  const balls = drawn.slice(0, 20);
  const sum = total(balls);
  const lastSums = { 金: 695, 木: 763, 水: 855, 火: 923, 土: 1410 };
  const [element = ''] = Object.entries(lastSums).find(([, last]) => sum <= last) ?? [];
  return {
    选一: won(...balls.map(String)),
    总和大小: sum === 810 ? given('大', '小') : bigWithin(811, 1410, sum),
    总和单双: parityOf(sum),
    五行: won(element),
  };
}

/** The facts of a draw by the key of its game's preset. `date` is `YYYY-MM-DD`. */
export const factsOf: Readonly<
  Record<string, (drawn: readonly number[], date: string) => Readonly<FactsOfDraw>>
> = {
  bjpk10: pk10,
  cqssc: ssc,
  jsk3: k3,
  gd11x5: elevenChooseFive,
  pc28,
  marksix: markSixFacts,
  fc3d: threeDigits,
  ssq: doubleColour,
  kl8: happy8,
};
