import {
  anyOf,
  drawnFrom,
  mirrored,
  numbersFrom,
  type Preset,
  playWay,
  selected,
  subCategory,
} from './preset.ts';

const sumOdds = ['138', '110', '80', '52', '36', '27', '21', '17', '14', '11.5', '10', '9', '8.5', '8'];

export const pc28: Preset = {
  key: 'pc28',
  name: 'PC28',
  gameCategory: '28',
  categoryIcon: 'StarOutlined',
  openRate: 300,
  stopBetSecond: 90,
  phaseRule: 'RUNNING',
  // 179 draws a day, from 09:05 to 23:55, with the phases of 北京快乐8.
  timeRanges: [{ start: '09:00:00', end: '23:55:00' }],
  introduce: `每天 179 期，每 5 分钟一期，期号连续编号；新增后请用“更新期号”填入当前期号。
三个号码取自北京快乐8：20 个号码由小到大排列，第 1 至 6、7 至 12、13 至 18 位之和的尾数各为一个号码。
和值：三个号码之和，0 至 27。14 及以上为大，13 及以下为小；22 及以上为极大，5 及以下为极小。
特码包三：任选三个和值，开出其中之一即中奖。
波色：和值除以 3，余 0 为红波，余 1 为绿波，余 2 为蓝波。
豹子：三个号码相同。顺子：三个号码相连（9 与 0 相连）。对子：只有两个号码相同。`,
  resultRule: { parts: [drawnFrom(numbersFrom(0, 9), 3, { repeat: true })] },
  categories: () => [
    {
      name: '和值',
      subCategories: [
        subCategory('特码', 7, playWay('特码', '*', 'SumHandler', mirrored(numbersFrom(0, 27), sumOdds))),
        subCategory(
          '特码包三',
          7,
          selected('特码包三', '*', 'SumHandler', { selection: anyOf(numbersFrom(0, 27), 3), odds: '3.62' }),
        ),
      ],
    },
    {
      name: '混合',
      subCategories: [
        subCategory(
          '两面',
          4,
          playWay('大小', '*', 'SumBigSmallHandler', [[['大', '小'], '1.96']], { from: 14 }),
          playWay('单双', '*', 'SumOddEvenHandler', [[['单', '双'], '1.96']]),
          playWay('组合', '*', 'SumCombinationHandler', [
            [['大单', '小双'], '4.2'],
            [['大双', '小单'], '3.6'],
          ]),
          playWay('极值', '*', 'SumRangeHandler', [[['极大', '极小'], '8.5']]),
        ),
        subCategory(
          '波色',
          3,
          playWay('波色', '*', 'ColourWaveHandler', [[['红波', '绿波', '蓝波'], '2.66']], { scheme: 'REST' }),
        ),
        subCategory(
          '形态',
          3,
          playWay('形态', '*', 'ShapeHandler', [
            [['豹子'], '45'],
            [['顺子'], '15'],
            [['对子'], '3.3'],
          ]),
        ),
      ],
    },
  ],
};
