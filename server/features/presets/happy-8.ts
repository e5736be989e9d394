import { numbersFrom, type Preset, playWay, subCategory } from './preset.ts';

const all = numbersFrom(0, 19).join(',');
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
选一：所选号码开出即中奖，赔率按官方每注 2 元的奖金折算，含本金。
总和：20 个号码之和 811 及以上为大，809 及以下为小，810 为和，退还本金。
五行：总和 210 至 695 为金，696 至 763 为木，764 至 855 为水，856 至 923 为火，924 至 1410 为土。`,
  categories: () => [
    {
      name: '选号',
      subCategories: [
        subCategory('选一', 10, playWay('选一', all, 'ContainsHandler', [[numbersFrom(1, 80, 2), '2.3']])),
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
