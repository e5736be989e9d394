import { drawnFrom, numbersFrom, type Preset, playWay, selected, sidesOf, subCategory } from './preset.ts';

const reds = '0,1,2,3,4,5';
const redBalls = numbersFrom(1, 33, 2);
const blueBalls = numbersFrom(1, 16, 2);
const prizes = {
  一等奖: [[6, 1]],
  二等奖: [[6, 0]],
  三等奖: [[5, 1]],
  四等奖: [
    [5, 0],
    [4, 1],
  ],
  五等奖: [
    [4, 0],
    [3, 1],
  ],
  六等奖: [
    [2, 1],
    [1, 1],
    [0, 1],
  ],
};
/** Half the official prizes of a bet of two yuan; the first two are shares of a pool there, and here what they usually come to. */
const prizeOdds = {
  一等奖: '2500000',
  二等奖: '75000',
  三等奖: '1500',
  四等奖: '100',
  五等奖: '5',
  六等奖: '2.5',
};

export const doubleColour: Preset = {
  key: 'ssq',
  name: '双色球',
  gameCategory: '低频彩',
  categoryIcon: 'CalendarOutlined',
  openRate: 86_400,
  // Sales end at 20:00, the draw is at 21:15.
  stopBetSecond: 4500,
  phaseRule: 'YEARLY',
  // Drawn on Tuesday, Thursday and Sunday; betting begins on the evening before.
  timeRanges: [{ start: '21:15:00', end: '21:15:00', weekdays: [1, 3, 6] }],
  introduce: `每周二、四、日 21:15 开奖，前一日 21:15 开始投注，当日 20:00 封盘；期号为年份加三位序号，春节期间休市。
每期从 01 至 33 中开出 6 个红球，从 01 至 16 中开出 1 个蓝球。
双色球：选 6 个红球与 1 个蓝球，可复式、可设红球胆码，按官方规则分一等奖至六等奖；三至六等奖按官方每注 2 元的奖金折算，含本金，一、二等奖官方为浮动奖金，此处为参考赔率。
红球：所选号码在 6 个红球中即中奖。蓝球：猜中蓝球号码即中奖。
蓝球大小：09 及以上为大，08 及以下为小。
红球总和：6 个红球之和 103 及以上为大，102 及以下为小。`,
  resultRule: { parts: [drawnFrom(redBalls, 6, { ordered: false }), drawnFrom(blueBalls, 1)] },
  categories: () => [
    {
      name: '双色球',
      subCategories: [
        subCategory(
          '复式与胆拖',
          7,
          selected('双色球', '*', 'PrizesHandler', {
            selection: {
              kind: 'TICKET',
              parts: [
                { choose: 6, of: redBalls, bankers: true },
                { choose: 1, of: blueBalls },
              ],
            },
            odds: prizeOdds,
            options: { groups: [6, 1], prizes },
          }),
        ),
      ],
    },
    {
      name: '红球',
      subCategories: [
        subCategory('红球号码', 6, playWay('红球号码', reds, 'ContainsHandler', [[redBalls, '5.2']])),
        subCategory(
          '红球总和',
          2,
          playWay('红球总和大小', reds, 'SumBigSmallHandler', [[['大', '小'], '1.93']], { from: 103 }),
          playWay('红球总和单双', reds, 'SumOddEvenHandler', [[['单', '双'], '1.93']]),
        ),
      ],
    },
    {
      name: '蓝球',
      subCategories: [
        subCategory('蓝球号码', 8, playWay('蓝球号码', '6', 'ValueHandler', [[blueBalls, '15.2']])),
        subCategory('蓝球两面', 2, ...sidesOf('蓝球', '6', '1.95', { from: 9 })),
      ],
    },
  ],
};
