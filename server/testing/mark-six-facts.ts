import {
  bigWithin,
  type Facts,
  type FactsOfDraw,
  given,
  named,
  parityOf,
  total,
  within,
  won,
} from './facts.ts';

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

/** 六合彩. */
export function markSixFacts(drawn: readonly number[], date: string): FactsOfDraw {
  const special = drawn[6] ?? 0;
  const normal = drawn.slice(0, 6).map(String);
  const places = ['正码1', '正码2', '正码3', '正码4', '正码5', '正码6'];
  const digits = total([...String(special)].map(Number));
  const isBig = within(25, 48, special);
  const [parity = ''] = parityOf(special).wins;
  const sidesAt = (place: number, facts: Facts, words: string[]) =>
    drawn[place] === 49 ? given(...words) : facts;
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
    ...named(places, (place) => sidesAt(place, bigWithin(25, 48, drawn[place] ?? 0), ['大', '小']), '大小'),
    ...named(places, (place) => sidesAt(place, parityOf(drawn[place] ?? 0), ['单', '双']), '单双'),
    特码组合: unless49(['大单', '大双', '小单', '小双'], won((isBig ? '大' : '小') + parity)),
    平特尾数: won(...new Set(drawn.map((ball) => `${String(ball).slice(-1)}尾`))),
    特肖: won(almanacAnimal(special, date)),
    平特一肖: won(...new Set(drawn.map((ball) => almanacAnimal(ball, date)))),
    总和大小: bigWithin(175, 301, total(drawn)),
    总和单双: parityOf(total(drawn)),
  };
}
