import { animalOfYear } from '../result-handlers/zodiac.ts';
import { animals, markSixSets } from './mark-six-sets.ts';
import {
  drawnFrom,
  numbersFrom,
  type Preset,
  type PresetOdds,
  playWay,
  sidesOf,
  subCategory,
} from './preset.ts';

const balls = numbersFrom(1, 49, 2);
const special = '6';
const all = '0,1,2,3,4,5,6';
const otherTails = numbersFrom(1, 9).map((tail) => `${tail}尾`);
const push = [49];
const sides = '1.948';

/** The animal of the year has five balls, every other one four. */
const animalOdds = (today: string, others: string, own: string): PresetOdds[] => {
  const year = animalOfYear(today);
  return [
    [animals.filter((animal) => animal !== year), others],
    [[year], own],
  ];
};

export const markSix: Preset = {
  key: 'marksix',
  name: '香港六合彩',
  gameCategory: '六合彩',
  categoryIcon: 'GiftOutlined',
  openRate: 86_400,
  stopBetSecond: 120,
  phaseRule: 'YEARLY',
  // Drawn on Tuesday, Thursday and, as a rule, Saturday; betting begins on the evening before.
  timeRanges: [{ start: '21:30:00', end: '21:30:00', weekdays: [1, 3, 5] }],
  introduce: `每周二、四、六 21:30 开奖，前一日 21:30 开始投注；周末一期改在周日的周次，请按官方搅珠日期调整投注时间并重新生成计划。
每期从 1 至 49 中开出 6 个正码和 1 个特码。
大小：25 及以上为大。单双、合数、尾数同理：合数 7 及以上为合大，尾数 5 及以上为尾大；开 49 为和，退还本金；正码一至六的两面与特码组合亦然。
波色与生肖：49 照常计算；生肖按开奖当日所在的农历年排列，1 号为当年生肖。
总和：七个号码之和 175 及以上为大。平特一肖、平特尾数：七个号码中出现所选生肖、尾数即中奖。
连码：三全中、二全中须所选正码全部开出；三中二中两个或三个；二中特中两个正码，或一个正码与特码；特串为一个正码与特码。
N不中：所选号码在七个号码中都没有开出。N连肖、N连尾：所选生肖、尾数在七个号码中全部开出，赔率取所选中最低的一个。
N合肖：特码的生肖在所选之中；开 49 为和，退还本金。
特肖、平特一肖与连肖中当年生肖有 5 个号码，赔率较低；农历新年后请更新这些玩法的赔率。`,
  resultRule: { parts: [drawnFrom(balls, 7)] },
  categories: (today) => [
    ...markSixSets(today, balls),
    {
      name: '特码',
      subCategories: [
        subCategory('特码', 7, playWay('特码', special, 'ValueHandler', [[balls, '48.52']])),
        subCategory(
          '特码两面',
          2,
          ...sidesOf('特码', special, sides, { from: 25, push }),
          playWay('合数大小', special, 'BigSmallHandler', [[['大', '小'], sides]], {
            from: 7,
            push,
            measure: 'digitSum',
          }),
          playWay('合数单双', special, 'OddEvenHandler', [[['单', '双'], sides]], {
            push,
            measure: 'digitSum',
          }),
          playWay('尾数大小', special, 'BigSmallHandler', [[['大', '小'], sides]], {
            from: 5,
            push,
            measure: 'tail',
          }),
        ),
        subCategory(
          '特码组合',
          4,
          playWay('特码组合', special, 'SumCombinationHandler', [[['大单', '大双', '小单', '小双'], '3.9']], {
            from: 25,
            push,
          }),
        ),
        subCategory(
          '波色',
          3,
          playWay('特码波色', special, 'ColourWaveHandler', [
            [['红波'], '2.78'],
            [['蓝波', '绿波'], '2.943'],
          ]),
        ),
        subCategory(
          '尾数',
          5,
          playWay('特码尾数', special, 'TailHandler', [
            [['0尾'], '11.5'],
            [otherTails, '9.3'],
          ]),
        ),
      ],
    },
    {
      name: '正码',
      subCategories: [
        subCategory('正码', 7, playWay('正码', '0,1,2,3,4,5', 'ContainsHandler', [[balls, '7.91']])),
        ...numbersFrom(1, 6).map((place) =>
          subCategory(
            `正码${place}特`,
            7,
            playWay(`正码${place}特`, String(Number(place) - 1), 'ValueHandler', [[balls, '47.96']]),
            ...sidesOf(`正码${place}`, String(Number(place) - 1), sides, { from: 25, push }),
          ),
        ),
      ],
    },
    {
      name: '生肖与总和',
      subCategories: [
        subCategory(
          '特肖',
          6,
          playWay('特肖', special, 'ZodiacHandler', animalOdds(today, '11.68', '9.486')),
        ),
        subCategory('平特一肖', 6, playWay('平特一肖', all, 'ZodiacHandler', animalOdds(today, '2', '1.75'))),
        subCategory(
          '平特尾数',
          5,
          playWay('平特尾数', all, 'TailHandler', [
            [['0尾'], '2'],
            [otherTails, '1.75'],
          ]),
        ),
        subCategory(
          '总和',
          2,
          playWay('总和大小', '*', 'SumBigSmallHandler', [[['大', '小'], sides]], { from: 175 }),
          playWay('总和单双', '*', 'SumOddEvenHandler', [[['单', '双'], sides]]),
        ),
      ],
    },
  ],
};
