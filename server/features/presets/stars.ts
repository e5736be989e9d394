import {
  anyOf,
  grouped,
  inPlaces,
  type PresetCategory,
  type PresetPlayWay,
  selected,
  sharedGroup,
  subCategory,
} from './preset.ts';

/** Shapes of four and five digits with their odds: each pays about 0.96 of what it would have to. */
const groupsOfFour = {
  组选24: [[[1, 4]], '400'],
  组选12: [
    [
      [2, 1],
      [1, 2],
    ],
    '800',
  ],
  组选6: [[[2, 2]], '1600'],
  组选4: [
    [
      [3, 1],
      [1, 1],
    ],
    '2400',
  ],
} as const;
const groupsOfFive = {
  组选120: [[[1, 5]], '800'],
  组选60: [
    [
      [2, 1],
      [1, 3],
    ],
    '1600',
  ],
  组选30: [
    [
      [2, 2],
      [1, 1],
    ],
    '3200',
  ],
  组选20: [
    [
      [3, 1],
      [1, 2],
    ],
    '4800',
  ],
  组选10: [
    [
      [3, 1],
      [2, 1],
    ],
    '9600',
  ],
  组选5: [
    [
      [4, 1],
      [1, 1],
    ],
    '19200',
  ],
} as const;

type Groups = Readonly<
  Record<string, readonly [parts: readonly (readonly [number, number])[], odds: string]>
>;

const groupsOf = (digits: readonly string[], stars: string, index: string, groups: Groups): PresetPlayWay[] =>
  Object.entries(groups).map(([name, [parts, odds]]) =>
    selected(`${stars}${name}`, index, 'ContainsHandler', {
      selection: grouped(digits, ...parts.map(([repeat, choose]): [number, number] => [repeat, choose])),
      odds,
    }),
  );

const straight = (digits: readonly string[], name: string, index: string, odds: string): PresetPlayWay =>
  selected(`${name}直选`, index, 'ValueHandler', {
    selection: inPlaces(digits, index.split(',').length),
    odds,
  });

/** 二星 to 五星 of five digits, in order (直选) and in any order (组选). */
export const starCategories = (digits: readonly string[]): PresetCategory[] => [
  {
    name: '二星与三星',
    subCategories: [
      ...Object.entries({ 前二: '0,1', 后二: '3,4' }).map(([part, index]) =>
        subCategory(
          part,
          5,
          straight(digits, part, index, '97'),
          selected(`${part}组选`, index, 'ContainsHandler', { selection: anyOf(digits, 2), odds: '48' }),
        ),
      ),
      ...Object.entries({ 前三: '0,1,2', 中三: '1,2,3', 后三: '2,3,4' }).map(([part, index]) =>
        subCategory(
          part,
          5,
          straight(digits, part, index, '970'),
          selected(`${part}组选三`, index, 'ContainsHandler', {
            selection: sharedGroup(digits, [2, 1], [1, 1]),
            odds: '320',
          }),
          selected(`${part}组选六`, index, 'ContainsHandler', {
            selection: sharedGroup(digits, [1, 3]),
            odds: '160',
          }),
        ),
      ),
    ],
  },
  {
    name: '四星与五星',
    subCategories: [
      subCategory(
        '四星',
        5,
        straight(digits, '四星', '1,2,3,4', '9700'),
        ...groupsOf(digits, '四星', '1,2,3,4', groupsOfFour),
      ),
      subCategory(
        '五星',
        5,
        straight(digits, '五星', '0,1,2,3,4', '97000'),
        ...groupsOf(digits, '五星', '0,1,2,3,4', groupsOfFive),
      ),
    ],
  },
];
