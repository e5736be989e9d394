import {
  anyOf,
  drawnFrom,
  inPlaces,
  numbersFrom,
  type Preset,
  playWay,
  selected,
  sidesOf,
  subCategory,
} from './preset.ts';

const places = ['第一球', '第二球', '第三球', '第四球', '第五球'];
const balls = numbersFrom(1, 11, 2);

/** Half the official prize, which is for a bet of two yuan. */
const anyOdds: Readonly<Record<string, readonly [size: number, odds: string]>> = {
  任选二: [2, '3'],
  任选三: [3, '9.5'],
  任选四: [4, '39'],
  任选五: [5, '270'],
  任选六: [6, '45'],
  任选七: [7, '13'],
  任选八: [8, '4.5'],
};

export const guangDong11x5: Preset = {
  key: 'gd11x5',
  name: '广东11选5',
  gameCategory: '11选5',
  categoryIcon: 'NumberOutlined',
  openRate: 600,
  stopBetSecond: 90,
  phaseRule: 'DAILY',
  serialDigits: 2,
  // 84 draws a day, from 09:10 to 23:00.
  timeRanges: [{ start: '09:00:00', end: '23:00:00' }],
  introduce: `每天 84 期，每 10 分钟一期。每期从 01 至 11 中开出 5 个号码，不重复。
号码：猜中该球开出的号码即中奖。任选二至任选五：所选号码全部开出即中奖，不计顺序；任选六至任选八：开出的五个号码全在所选之中即中奖。
前二直选、前三直选：按顺序猜中前两球、前三球；前二组选、前三组选：猜中前两球、前三球，不计顺序。任选与前二、前三的赔率按官方每注 2 元的奖金折算，含本金。
大小：06 至 10 为大，01 至 05 为小，11 为和，退还本金；单双同样以 11 为和。
总和：31 及以上为大，29 及以下为小，30 为和，退还本金。
龙虎：第一球比第五球，前者大为龙，后者大为虎。`,
  resultRule: { parts: [drawnFrom(balls, 5)] },
  categories: () => [
    {
      name: '定位',
      subCategories: places.map((place, index) =>
        subCategory(place, 6, playWay(`${place}号码`, String(index), 'ValueHandler', [[balls, '10.8']])),
      ),
    },
    {
      name: '两面',
      subCategories: [
        ...places.map((place, index) =>
          subCategory(place, 2, ...sidesOf(place, String(index), '1.985', { from: 6, push: [11] })),
        ),
        subCategory(
          '总和',
          2,
          playWay('总和大小', '*', 'SumBigSmallHandler', [[['大', '小'], '1.985']], { from: 31, push: [30] }),
          // Six of the eleven balls are odd: an odd sum is the likelier one.
          playWay('总和单双', '*', 'SumOddEvenHandler', [
            [['单'], '1.93'],
            [['双'], '2.02'],
          ]),
        ),
        subCategory('龙虎', 2, playWay('龙虎', '0,4', 'DragonTigerHandler', [[['龙', '虎'], '1.985']])),
      ],
    },
    {
      name: '任选',
      subCategories: [
        subCategory('任选一', 6, playWay('任选一', '*', 'ContainsHandler', [[balls, '2.15']])),
        ...Object.entries(anyOdds).map(([name, [size, odds]]) =>
          subCategory(
            name,
            6,
            selected(name, '*', 'ContainsHandler', { selection: anyOf(balls, size), odds }),
          ),
        ),
      ],
    },
    {
      name: '前二前三',
      subCategories: [
        subCategory(
          '直选',
          6,
          selected('前二直选', '0,1', 'ValueHandler', { selection: inPlaces(balls, 2, true), odds: '65' }),
          selected('前三直选', '0,1,2', 'ValueHandler', { selection: inPlaces(balls, 3, true), odds: '585' }),
        ),
        subCategory(
          '组选',
          5,
          selected('前二组选', '0,1', 'ContainsHandler', { selection: anyOf(balls, 2), odds: '32.5' }),
          selected('前三组选', '0,1,2', 'ContainsHandler', { selection: anyOf(balls, 3), odds: '97.5' }),
        ),
      ],
    },
  ],
};
