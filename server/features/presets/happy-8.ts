import { anyOf, drawnFrom, numbersFrom, type Preset, playWay, selected, subCategory } from './preset.ts';

const all = numbersFrom(0, 19).join(',');
const balls = numbersFrom(1, 80, 2);
const words = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];

/** Half the official prizes of a bet of two yuan, by how many are to be chosen and how many were hit. */
const officialOdds: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  2: { 2: '9.5' },
  3: { 3: '26.5', 2: '1.5' },
  4: { 4: '50', 3: '2.5', 2: '1.5' },
  5: { 5: '500', 4: '10.5', 3: '1.5' },
  6: { 6: '1500', 5: '15', 4: '5', 3: '1.5' },
  7: { 7: '5000', 6: '144', 5: '14', 4: '2', 0: '1' },
  8: { 8: '25000', 7: '400', 6: '44', 5: '5', 4: '1.5', 0: '1' },
  9: { 9: '150000', 8: '1000', 7: '100', 6: '10', 5: '2.5', 4: '1.5', 0: '1' },
  10: { 10: '2500000', 9: '4000', 8: '400', 7: '40', 6: '2.5', 5: '1.5', 0: '1' },
};

/** 选二 to 选十, the best prize first. */
const chosen = Object.entries(officialOdds).map(([choose, odds]) => {
  const name = `选${words[Number(choose)]}`;
  const tiers = Object.keys(odds)
    .map(Number)
    .toSorted((one, other) => other - one);
  const prize = (hits: number) => `中${words[hits]}`;
  return subCategory(
    name,
    10,
    selected(name, all, 'PrizesHandler', {
      selection: anyOf(balls, Number(choose)),
      odds: Object.fromEntries(tiers.map((hits) => [prize(hits), odds[hits] ?? ''])),
      options: { prizes: Object.fromEntries(tiers.map((hits) => [prize(hits), [[hits]]])) },
    }),
  );
});
const elements = { 金: [210, 695], 木: [696, 763], 水: [764, 855], 火: [856, 923], 土: [924, 1410] };

export const happy8: Preset = {
  key: 'kl8',
  name: '快乐8',
  gameCategory: '低频彩',
  categoryIcon: 'CalendarOutlined',
  openRate: 86_400,
  stopBetSecond: 1800,
  phaseRule: 'YEARLY',
  timeRanges: [{ start: '21:30:00', end: '21:30:00' }],
  introduce: `每天 21:30 开奖，21:00 封盘，期号为年份加三位序号，春节期间休市。
每期从 01 至 80 中开出 20 个号码。
选一：所选号码开出即中奖。选二至选十：按命中的个数定奖，选七至选十全不中也有奖。赔率按官方每注 2 元的奖金折算，含本金。
总和：20 个号码之和 811 及以上为大，809 及以下为小，810 为和，退还本金。
五行：总和 210 至 695 为金，696 至 763 为木，764 至 855 为水，856 至 923 为火，924 至 1410 为土。`,
  resultRule: { parts: [drawnFrom(balls, 20, { ordered: false })] },
  categories: () => [
    {
      name: '选号',
      subCategories: [
        subCategory('选一', 10, playWay('选一', all, 'ContainsHandler', [[balls, '2.3']])),
        ...chosen,
      ],
    },
    {
      name: '总和',
      subCategories: [
        subCategory(
          '总和两面',
          2,
          playWay('总和大小', all, 'SumBigSmallHandler', [[['大', '小'], '1.95']], {
            from: 811,
            push: [810],
          }),
          playWay('总和单双', all, 'SumOddEvenHandler', [[['单', '双'], '1.95']]),
        ),
        subCategory(
          '五行',
          5,
          playWay(
            '五行',
            all,
            'SumRangeHandler',
            [
              [['金', '土'], '9.2'],
              [['木', '火'], '4.6'],
              [['水'], '2.4'],
            ],
            { ranges: elements },
          ),
        ),
      ],
    },
  ],
};
