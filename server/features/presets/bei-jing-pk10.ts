import {
  anyOf,
  drawnFrom,
  mirrored,
  numbersFrom,
  type Preset,
  playWay,
  selected,
  sidesOf,
  subCategory,
} from './preset.ts';

const places = [
  ...['冠军', '亚军', '第三名', '第四名', '第五名'],
  ...['第六名', '第七名', '第八名', '第九名', '第十名'],
];
const balls = numbersFrom(1, 10);

export const beiJingPk10: Preset = {
  key: 'bjpk10',
  name: '北京赛车PK10',
  gameCategory: '赛车',
  categoryIcon: 'ThunderboltOutlined',
  openRate: 300,
  stopBetSecond: 30,
  phaseRule: 'RUNNING',
  // 179 draws a day, the first at 09:07:45.
  timeRanges: [{ start: '09:02:45', end: '23:57:45' }],
  introduce: `每天 179 期，每 5 分钟一期，期号连续编号；新增后请用“更新期号”填入当前期号。
每期开出 10 个号码，依次为冠军至第十名，号码为 1 至 10，不重复。
号码：猜中该名次开出的号码即中奖。
大小：6 及以上为大，5 及以下为小。单双：号码为奇数是单，偶数是双。
龙虎：冠军比第十名、亚军比第九名、第三名比第八名、第四名比第七名、第五名比第六名，前者大为龙，后者大为虎。
冠亚和：冠军与亚军之和为 3 至 19，12 及以上为大，11 及以下为小。
冠亚组合：猜中冠军与亚军的两个号码，不计顺序。`,
  resultRule: { parts: [drawnFrom(balls, 10)] },
  categories: () => [
    {
      name: '号码',
      subCategories: places.map((place, index) =>
        subCategory(place, 5, playWay(`${place}号码`, String(index), 'ValueHandler', [[balls, '9.85']])),
      ),
    },
    {
      name: '两面',
      subCategories: places.map((place, index) => {
        const duel = playWay(`${place}龙虎`, `${index},${9 - index}`, 'DragonTigerHandler', [
          [['龙', '虎'], '1.985'],
        ]);
        const sides = sidesOf(place, String(index), '1.985', { from: 6 });
        return subCategory(place, 2, ...sides, ...(index < 5 ? [duel] : []));
      }),
    },
    {
      name: '冠亚和',
      subCategories: [
        subCategory(
          '冠亚和值',
          6,
          playWay('冠亚和值', '0,1', 'SumHandler', [
            ...mirrored(numbersFrom(3, 19), ['42', '42', '20.7', '20.7', '13.8', '13.8', '10.35', '10.35']),
            [['11'], '8.28'],
          ]),
        ),
        subCategory(
          '冠亚两面',
          2,
          playWay(
            '冠亚大小',
            '0,1',
            'SumBigSmallHandler',
            [
              [['大'], '2.13'],
              [['小'], '1.7869'],
            ],
            { from: 12 },
          ),
          playWay('冠亚单双', '0,1', 'SumOddEvenHandler', [
            [['单'], '1.7869'],
            [['双'], '2.13'],
          ]),
        ),
        subCategory(
          '冠亚组合',
          5,
          selected('冠亚组合', '0,1', 'ContainsHandler', { selection: anyOf(balls, 2), odds: '44' }),
        ),
      ],
    },
  ],
};
