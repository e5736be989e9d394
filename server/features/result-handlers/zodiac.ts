import { Solar } from 'lunar-typescript';
import { z } from 'zod';
import { allThatCouldBe, numberOf, pushed, resultHandler } from './result-handler.ts';

const animals = '鼠牛虎兔龙蛇马羊猴鸡狗猪';

const known = new Map<string, string>();
const MOST_KNOWN = 1_000;

/** The animal of the lunar year that a day (`YYYY-MM-DD`) lies in; the year changes at the Spring Festival. */
export function animalOfYear(date: string): string {
  const present = known.get(date);
  if (present !== undefined) return present;
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const animal = Solar.fromYmd(year, month, day).getLunar().getYearShengXiao();
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(date, animal);
  return animal;
}

/** The animal of a number on a day: 1 is the year's own, 2 the one before it, and so on round (49 is the year's own). */
export function animalOf(number: number, date: string): string {
  const own = animals.indexOf(animalOfYear(date));
  return animals[(((own - (number - 1)) % 12) + 12) % 12] ?? '';
}

/** 生肖 by the lunar year of the draw's own date; sets of animals too (连肖, 合肖). */
export const zodiacHandler = resultHandler({
  name: 'ZodiacHandler',
  version: 1,
  title: '生肖',
  sentence:
    '所选各位置号码的生肖中奖，按开奖当日所在的农历年排生肖（1 号为当年生肖）。一次选多个生肖时，须全部开出；只看一个位置时，开出其中之一即可（合肖）。参数：push 为退本金的号码（合肖为 [49]）。',
  positions: [1, 7],
  options: z.strictObject({ push: pushed }),
  judges: ['SINGLE', 'COMBINATION'],
  units: ({ push }) => ({
    mayPush: push.length > 0,
    counts: 'NUMBERS',
    member: (value, date) => animalOf(numberOf(value), date),
    named: (animal) => animal,
    ...allThatCouldBe,
  }),
  read: ({ values, date }, { push }) => {
    if (values.some((value) => push.includes(numberOf(value)))) return { winners: [], pushes: [...animals] };
    return { winners: [...new Set(values.map((value) => animalOf(numberOf(value), date)))], pushes: [] };
  },
});
