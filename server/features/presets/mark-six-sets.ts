import { animalOfYear } from '../result-handlers/zodiac.ts';
import {
  anyOf,
  lowest,
  numbersFrom,
  type PresetCategory,
  type PresetOdds,
  type PresetPlayWay,
  selected,
  subCategory,
} from './preset.ts';

export const animals = [...'鼠牛虎兔龙蛇马羊猴鸡狗猪'];
const tails = numbersFrom(0, 9).map((tail) => `${tail}尾`);
const [zero = '', ...otherTails] = tails;
const normal = '0,1,2,3,4,5';
const all = '0,1,2,3,4,5,6';
const words = ['', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'];

/** Reckoned at about 0.93 of what each would have to pay. */
const missOdds = ['2.08', '2.48', '2.96', '3.55', '4.28', '5.19', '6.33', '7.76'];
/** Of four balls an animal, and with the year's own of five: about 0.9 of what each would have to pay. */
const animalOdds = [
  ['4.39', '3.71'],
  ['11.18', '9.38'],
  ['32.7', '27.17'],
  ['115.97', '95.34'],
] as const;
/** Of five balls a tail, and of four for 0尾: the same. */
const tailOdds = [
  ['3.14', '3.71'],
  ['6.61', '7.87'],
  ['15.63', '18.79'],
  ['43.71', '53.09'],
] as const;
/** 12/k, less a twentieth. */
const anyAnimalOdds = ['5.7', '3.8', '2.85', '2.28', '1.9', '1.62', '1.42', '1.26', '1.14', '1.03'];

/** 连码 of six normal balls and the special one; the project's own odds. */
const linked = (balls: readonly string[]): PresetPlayWay[] => [
  selected('三全中', normal, 'ContainsHandler', { selection: anyOf(balls, 3), odds: '650' }),
  selected('三中二', normal, 'PrizesHandler', {
    selection: anyOf(balls, 3),
    odds: { 中三: '90', 中二: '20' },
    options: { prizes: { 中三: [[3]], 中二: [[2]] } },
  }),
  selected('二全中', normal, 'ContainsHandler', { selection: anyOf(balls, 2), odds: '62' }),
  selected('二中特', all, 'PrizesHandler', {
    selection: anyOf(balls, 2),
    odds: { 中二: '51', 中特: '31' },
    options: { groups: [6, 1], prizes: { 中二: [[2, 0]], 中特: [[1, 1]] } },
  }),
  selected('特串', all, 'PrizesHandler', {
    selection: anyOf(balls, 2),
    odds: { 特串: '150' },
    options: { groups: [6, 1], prizes: { 特串: [[1, 1]] } },
  }),
];

const misses = (balls: readonly string[]): PresetPlayWay[] =>
  missOdds.map((odds, step) => {
    const name = `${words[step + 5]}不中`;
    const options = { prizes: { [name]: [[0]] } };
    return selected(name, all, 'PrizesHandler', {
      selection: anyOf(balls, step + 5),
      odds: { [name]: odds },
      options,
    });
  });

function animalRows(today: string, others: string, own: string): PresetOdds[] {
  const year = animalOfYear(today);
  return [
    [animals.filter((animal) => animal !== year), others],
    [[year], own],
  ];
}

/** Bets on several balls, animals or tails at once. `today` tells the animal of the year, which has five balls. */
export const markSixSets = (today: string, balls: readonly string[]): PresetCategory[] => [
  {
    name: '连码与不中',
    subCategories: [subCategory('连码', 7, ...linked(balls)), subCategory('不中', 7, ...misses(balls))],
  },
  {
    name: '连肖连尾合肖',
    subCategories: [
      subCategory(
        '连肖',
        6,
        ...animalOdds.map(([others, own], step) =>
          lowest(`${words[step + 2]}连肖`, all, 'ZodiacHandler', {
            choose: step + 2,
            odds: animalRows(today, others, own),
          }),
        ),
      ),
      subCategory(
        '连尾',
        5,
        ...tailOdds.map(([others, own], step) =>
          lowest(`${words[step + 2]}连尾`, all, 'TailHandler', {
            choose: step + 2,
            odds: [
              [[zero], own],
              [otherTails, others],
            ],
          }),
        ),
      ),
      subCategory(
        '合肖',
        6,
        ...anyAnimalOdds.map((odds, step) =>
          selected(`${words[step + 2]}合肖`, '6', 'ZodiacHandler', {
            selection: anyOf(animals, step + 2),
            odds,
            options: { push: [49] },
          }),
        ),
      ),
    ],
  },
];
