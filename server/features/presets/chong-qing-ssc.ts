import {
  drawnFrom,
  numbersFrom,
  type Preset,
  type PresetOdds,
  playWay,
  sidesOf,
  subCategory,
} from './preset.ts';
import { starCategories } from './stars.ts';

const places = ['万位', '千位', '百位', '十位', '个位'];
const digits = numbersFrom(0, 9);
const shapes: PresetOdds[] = [
  [['豹子'], '95'],
  // Published at 16.7, which returns more than is staked: 60 of 1,000 draws.
  [['顺子'], '16.5'],
  [['对子'], '3.7'],
  [['半顺'], '2.77'],
  [['杂六'], '3.33'],
];

/** How five digits are read, whenever they are drawn. */
export const sscRules = `每期开出 5 个号码，依次为万位至个位，号码为 0 至 9，可重复。
大小：5 至 9 为大，0 至 4 为小。总和：23 及以上为大，22 及以下为小。
龙虎和：万位与个位相比，万位大为龙，个位大为虎，相等为和；开和时龙虎退还本金。
形态：三个号码相同为豹子，三个相连为顺子（9 与 0 相连），两个相同为对子，两个相连为半顺，其余为杂六。
直选：每位各选号码，按顺序全部猜中；二星、三星、四星、五星分别看两位至五位。
组选：猜中各位的号码，不计顺序。组选三：三个号码中两个相同；组选六：三个号码都不同。
四星组选24、12、6、4：四个号码都不同、一对两单、两对、三同一单。
五星组选120、60、30、20、10、5：都不同、一对三单、两对一单、三同两单、三同一对、四同一单。`;

export const chongQingSsc: Preset = {
  key: 'cqssc',
  name: '重庆时时彩',
  gameCategory: '时时彩',
  categoryIcon: 'HistoryOutlined',
  openRate: 600,
  stopBetSecond: 70,
  phaseRule: 'DAILY',
  // 120 draws a day: 001 to 023 at night, 024 to 096 by day, 097 to 120 in the evening, the last at midnight.
  timeRanges: [
    { start: '00:00:00', end: '01:55:00', openRate: 300 },
    { start: '09:50:00', end: '22:00:00' },
    { start: '22:00:00', end: '23:59:59', openRate: 300 },
  ],
  introduce: `每天 120 期：00:00 至 01:55 每 5 分钟一期，09:50 至 22:00 每 10 分钟一期，22:00 至 24:00 每 5 分钟一期。
${sscRules}`,
  resultRule: { parts: [drawnFrom(digits, 5, { repeat: true })] },
  categories: () => [
    {
      name: '定位胆',
      subCategories: places.map((place, index) =>
        subCategory(place, 5, playWay(`${place}号码`, String(index), 'ValueHandler', [[digits, '9.85']])),
      ),
    },
    {
      name: '两面',
      subCategories: [
        ...places.map((place, index) =>
          subCategory(place, 2, ...sidesOf(place, String(index), '1.985', { from: 5 })),
        ),
        subCategory(
          '总和',
          2,
          playWay('总和大小', '*', 'SumBigSmallHandler', [[['大', '小'], '1.985']], { from: 23 }),
          playWay('总和单双', '*', 'SumOddEvenHandler', [[['单', '双'], '1.985']]),
        ),
        subCategory(
          '龙虎和',
          3,
          playWay('龙虎和', '0,4', 'DragonTigerHandler', [
            [['龙', '虎'], '1.985'],
            [['和'], '8.93'],
          ]),
        ),
      ],
    },
    ...starCategories(digits),
    {
      name: '形态',
      subCategories: ['前三', '中三', '后三'].map((part, first) => {
        const index = [first, first + 1, first + 2].join(',');
        return subCategory(part, 5, playWay(`${part}形态`, index, 'ShapeHandler', shapes));
      }),
    },
  ],
};
