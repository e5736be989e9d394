/*
 * What won in a draw, by the name of each play way of the presets, worked out by listing and counting and without any of the
 * program's own rules: what result handlers say is compared with it.
 */

/** The numbers of a play way that win and those whose stakes are given back; all others lose. */
export interface Facts {
  readonly wins: readonly string[];
  readonly pushes?: readonly string[];
}

type FactsOfDraw = Record<string, Facts>;

const won = (...wins: string[]): Facts => ({ wins });
const given = (...pushes: string[]): Facts => ({ wins: [], pushes });
/** Added up on fingers. */
const total = (numbers: readonly number[]): number =>
  numbers.flatMap((number) => Array(number).fill(1)).length;
const within = (from: number, to: number, number: number): boolean =>
  Array.from({ length: to - from + 1 }, (_, step) => from + step).includes(number);
const bigWithin = (from: number, to: number, number: number): Facts =>
  won(within(from, to, number) ? '大' : '小');
const parityOf = (number: number): Facts => won('13579'.includes(String(number).slice(-1)) ? '单' : '双');
const duel = (first: number, second: number): Facts => {
  const [winner] = [first, second].toSorted((a, b) => b - a);
  return won(winner === first ? '龙' : '虎');
};
const pairs = (numbers: readonly (number | string)[]): string[] =>
  numbers.flatMap((one, place) => numbers.slice(place + 1).map((other) => `${one},${other}`));
const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);
const named = (names: readonly string[], facts: (place: number) => Facts, suffix: string): FactsOfDraw =>
  Object.fromEntries(names.map((name, place) => [`${name}${suffix}`, facts(place)]));

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
  };
}

function ssc(drawn: readonly number[]): FactsOfDraw {
  const at = (place: number) => drawn[place] ?? 0;
  const places = ['万位', '千位', '百位', '十位', '个位'];
  const isTie = at(0) === at(4);
  return {
    ...named(places, (place) => won(String(at(place))), '号码'),
    ...named(places, (place) => bigWithin(5, 9, at(place)), '大小'),
    ...named(places, (place) => parityOf(at(place)), '单双'),
    总和大小: bigWithin(23, 45, total(drawn)),
    总和单双: parityOf(total(drawn)),
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

const redBalls = [1, 2, 7, 8, 12, 13, 18, 19, 23, 24, 29, 30, 34, 35, 40, 45, 46];
const blueBalls = [3, 4, 9, 10, 14, 15, 20, 25, 26, 31, 36, 37, 41, 42, 47, 48];
const waveOf = (ball: number): string =>
  redBalls.includes(ball) ? '红波' : blueBalls.includes(ball) ? '蓝波' : '绿波';

/** First days of lunar years, with the year's animal, from the almanac. */
export const springFestivals = {
  '2016-02-08': '猴',
  '2017-01-28': '鸡',
  '2018-02-16': '狗',
  '2019-02-05': '猪',
  '2020-01-25': '鼠',
  '2021-02-12': '牛',
  '2022-02-01': '虎',
  '2023-01-22': '兔',
  '2024-02-10': '龙',
  '2025-01-29': '蛇',
  '2026-02-17': '马',
  '2027-02-06': '羊',
};
/** The animals as balls have them in the year of 鼠: 01 鼠, 02 猪, 03 狗 and so on, against the order of years. */
const downwards = [...'鼠猪狗鸡猴羊马蛇龙兔虎牛'];
/** The animal of a ball on a day from 2016 to 2027. */
export function almanacAnimal(ball: number, date: string): string {
  const [year = ''] = Object.entries(springFestivals)
    .filter(([first]) => first <= date)
    .map(([, animal]) => animal)
    .slice(-1);
  const turned = [...downwards.slice(downwards.indexOf(year)), ...downwards].slice(0, 12);
  return Array(5).fill(turned).flat()[ball - 1];
}

function markSix(drawn: readonly number[], date: string): FactsOfDraw {
  const special = drawn[6] ?? 0;
  const normal = drawn.slice(0, 6).map(String);
  const digits = total([...String(special)].map(Number));
  const unless49 = (all: readonly string[], facts: Facts) => (special === 49 ? given(...all) : facts);
  const tail = String(special).slice(-1);
  return {
    特码: won(String(special)),
    特码大小: unless49(['大', '小'], bigWithin(25, 48, special)),
    特码单双: unless49(['单', '双'], parityOf(special)),
    合数大小: unless49(['大', '小'], bigWithin(7, 13, digits)),
    合数单双: unless49(['单', '双'], parityOf(digits)),
    尾数大小: unless49(['大', '小'], bigWithin(5, 9, Number(tail))),
    特码波色: won(waveOf(special)),
    特码尾数: won(`${tail}尾`),
    正码: won(...normal),
    ...named(
      ['正码1', '正码2', '正码3', '正码4', '正码5', '正码6'],
      (place) => won(normal[place] ?? ''),
      '特',
    ),
    特肖: won(almanacAnimal(special, date)),
    平特一肖: won(...new Set(drawn.map((ball) => almanacAnimal(ball, date)))),
    总和大小: bigWithin(175, 301, total(drawn)),
    总和单双: parityOf(total(drawn)),
  };
}

function threeDigits(drawn: readonly number[]): FactsOfDraw {
  const places = ['百位', '十位', '个位'];
  const at = (place: number) => drawn[place] ?? 0;
  return {
    ...named(places, (place) => won(String(at(place))), '号码'),
    ...named(places, (place) => bigWithin(5, 9, at(place)), '大小'),
    ...named(places, (place) => parityOf(at(place)), '单双'),
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
  marksix: markSix,
  fc3d: threeDigits,
  ssq: doubleColour,
  kl8: happy8,
};
