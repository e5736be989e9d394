import {
  anyOf,
  drawnFrom,
  grouped,
  mirrored,
  numbersFrom,
  type Preset,
  playWay,
  selected,
  subCategory,
} from './preset.ts';

const faces = numbersFrom(1, 6);
const sumOdds = ['120', '40', '20', '12.5', '8', '6', '5', '4.5'];

export const jiangSuK3: Preset = {
  key: 'jsk3',
  name: '江苏快3',
  gameCategory: '快三',
  categoryIcon: 'AppstoreOutlined',
  openRate: 600,
  stopBetSecond: 120,
  phaseRule: 'DAILY',
  // 82 draws a day, from 08:39 to 22:09.
  timeRanges: [{ start: '08:29:00', end: '22:09:00' }],
  introduce: `每天 82 期，每 10 分钟一期。每期开出 3 个号码，号码为 1 至 6，可重复。
和值：三个号码之和，3 至 18。大小：11 及以上为大，10 及以下为小。
三同号单选、二同号单选、三不同号、二不同号：开出所选的全部号码即中奖，不计顺序。
三同号通选：开出任意豹子即中奖。三连号通选：开出 123、234、345、456 之一即中奖。
三军：所选号码开出一个、两个、三个，赔率各不相同。
赔率按官方每注 2 元的奖金折算，含本金；大小单双与三军为参考赔率，开出豹子时大小单双照常计算，可在投注维度的参数 tripleLoses 改为通吃。`,
  resultRule: { parts: [drawnFrom(faces, 3, { repeat: true, ordered: false })] },
  categories: () => [
    {
      name: '和值',
      subCategories: [
        subCategory('和值', 8, playWay('和值', '*', 'SumHandler', mirrored(numbersFrom(3, 18), sumOdds))),
        subCategory(
          '两面',
          2,
          playWay('和值大小', '*', 'SumBigSmallHandler', [[['大', '小'], '1.95']], {
            from: 11,
            tripleLoses: false,
          }),
          playWay('和值单双', '*', 'SumOddEvenHandler', [[['单', '双'], '1.95']], { tripleLoses: false }),
        ),
      ],
    },
    {
      name: '同号',
      subCategories: [
        subCategory(
          '三同号',
          6,
          selected('三同号单选', '*', 'ContainsHandler', { selection: grouped(faces, [3, 1]), odds: '120' }),
          playWay(
            '通选',
            '*',
            'ShapeHandler',
            [
              [['豹子'], '20'],
              [['顺子'], '5'],
            ],
            { circle: false },
          ),
        ),
        subCategory(
          '二同号',
          6,
          selected('二同号复选', '*', 'ContainsHandler', { selection: grouped(faces, [2, 1]), odds: '7.5' }),
          selected('二同号单选', '*', 'ContainsHandler', {
            selection: grouped(faces, [2, 1], [1, 1]),
            odds: '40',
          }),
        ),
      ],
    },
    {
      name: '三军',
      subCategories: [
        subCategory(
          '三军',
          6,
          selected('三军', '*', 'PrizesHandler', {
            selection: anyOf(faces, 1),
            odds: { 中一: '2', 中二: '3', 中三: '4' },
            options: { prizes: { 中一: [[1]], 中二: [[2]], 中三: [[3]] } },
          }),
        ),
      ],
    },
    {
      name: '不同号',
      subCategories: [
        subCategory(
          '三不同号',
          5,
          selected('三不同号', '*', 'ContainsHandler', { selection: anyOf(faces, 3), odds: '20' }),
        ),
        subCategory(
          '二不同号',
          5,
          selected('二不同号', '*', 'ContainsHandler', { selection: anyOf(faces, 2), odds: '4' }),
        ),
      ],
    },
  ],
};
