import { Solar } from 'lunar-typescript';
import { noOptions, numberOf, resultHandler } from './result-handler.ts';

const animals = '鼠牛虎兔龙蛇马羊猴鸡狗猪';

/** The animal of the lunar year that a day (`YYYY-MM-DD`) lies in; the year changes at the Spring Festival. */
export function animalOfYear(date: string): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return Solar.fromYmd(year, month, day).getLunar().getYearShengXiao();
}

/** The animal of a number on a day: 1 is the year's own, 2 the one before it, and so on round (49 is the year's own). */
export function animalOf(number: number, date: string): string {
  const own = animals.indexOf(animalOfYear(date));
  return animals[(((own - (number - 1)) % 12) + 12) % 12] ?? '';
}

/** 生肖 by the lunar year of the draw's own date. */
export const zodiacHandler = resultHandler({
  name: 'ZodiacHandler',
  title: '生肖',
  sentence: '所选各位置号码的生肖中奖，按开奖当日所在的农历年排生肖（1 号为当年生肖）。',
  positions: [1, 7],
  options: noOptions,
  read: ({ values, date }) => ({
    winners: [...new Set(values.map((value) => animalOf(numberOf(value), date)))],
    pushes: [],
  }),
});
