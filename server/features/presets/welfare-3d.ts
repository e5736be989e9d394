import {
  drawnFrom,
  inPlaces,
  mirrored,
  numbersFrom,
  type Preset,
  playWay,
  selected,
  sharedGroup,
  sidesOf,
  subCategory,
} from './preset.ts';

const places = ['百位', '十位', '个位'];
const digits = numbersFrom(0, 9);
const sumOdds = [
  ...['520', '172.5', '86', '52', '34.5', '24.5', '18.5'],
  ...['14.5', '11.5', '9.5', '8', '7.5', '7.5', '7'],
];

export const welfare3d: Preset = {
  key: 'fc3d',
  name: '福彩3D',
  gameCategory: '低频彩',
  categoryIcon: 'CalendarOutlined',
  openRate: 86_400,
  stopBetSecond: 600,
  phaseRule: 'YEARLY',
  timeRanges: [{ start: '21:15:00', end: '21:15:00' }],
  introduce: `每天 21:15 开奖，期号为年份加三位序号，春节期间休市。
每期开出 3 个号码，依次为百位、十位、个位，号码为 0 至 9，可重复。
定位：猜中该位开出的号码即中奖。大小：5 至 9 为大，0 至 4 为小。
和值：三个号码之和，0 至 27，14 及以上为大。
直选：按顺序猜中三个号码。组选三：三个号码中两个相同；组选六：三个号码都不同；猜中三个号码，不计顺序。
直选、组选与和值的赔率按官方每注 2 元的奖金折算，含本金。
形态：三个号码相同为豹子，两个相同为对子，三个相连为顺子（9 与 0 相连），两个相连为半顺，其余为杂六。`,
  resultRule: { parts: [drawnFrom(digits, 3, { repeat: true })] },
  categories: () => [
    {
      name: '定位',
      subCategories: places.map((place, index) =>
        subCategory(
          place,
          5,
          playWay(`${place}号码`, String(index), 'ValueHandler', [[digits, '9.7']]),
          ...sidesOf(place, String(index), '1.95', { from: 5 }),
        ),
      ),
    },
    {
      name: '直选与组选',
      subCategories: [
        subCategory(
          '直选',
          10,
          selected('直选', '0,1,2', 'ValueHandler', { selection: inPlaces(digits, 3), odds: '520' }),
        ),
        subCategory(
          '组选',
          5,
          selected('组选三', '0,1,2', 'ContainsHandler', {
            selection: sharedGroup(digits, [2, 1], [1, 1]),
            odds: '173',
          }),
          selected('组选六', '0,1,2', 'ContainsHandler', {
            selection: sharedGroup(digits, [1, 3]),
            odds: '86.5',
          }),
        ),
      ],
    },
    {
      name: '和值',
      subCategories: [
        subCategory('和值', 7, playWay('和值', '*', 'SumHandler', mirrored(numbersFrom(0, 27), sumOdds))),
        subCategory(
          '和值两面',
          2,
          playWay('和值大小', '*', 'SumBigSmallHandler', [[['大', '小'], '1.95']], { from: 14 }),
          playWay('和值单双', '*', 'SumOddEvenHandler', [[['单', '双'], '1.95']]),
        ),
      ],
    },
    {
      name: '形态',
      subCategories: [
        subCategory(
          '形态',
          5,
          playWay('形态', '*', 'ShapeHandler', [
            [['豹子'], '52'],
            [['顺子'], '16'],
            [['对子'], '3.5'],
            [['半顺'], '2.7'],
            [['杂六'], '3.2'],
          ]),
        ),
      ],
    },
  ],
};
