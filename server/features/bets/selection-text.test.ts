import { describe, expect, it } from 'vitest';
import { SelectionRule } from '#contract/selections.ts';
import { BadSelection } from './selection.ts';
import { printSelection, readSelection } from './selection-text.ts';
import { unitsOf } from './units.ts';

const upTo = (most: number) => Array.from({ length: most }, (_, index) => String(index + 1).padStart(2, '0'));
const digits = Array.from({ length: 10 }, (_, digit) => String(digit));

const anyFive: SelectionRule = { kind: 'COMBINATION', choose: 5, of: upTo(11) };
const threeStars: SelectionRule = { kind: 'PLACES', places: 3, of: digits };
const firstThree: SelectionRule = { kind: 'PLACES', places: 3, of: upTo(11), distinct: true };
const twelve: SelectionRule = {
  kind: 'GROUP',
  parts: [
    { repeat: 2, choose: 1 },
    { repeat: 1, choose: 2 },
  ],
  of: digits,
};
const pair: SelectionRule = {
  kind: 'GROUP',
  parts: [
    { repeat: 2, choose: 1 },
    { repeat: 1, choose: 1 },
  ],
  of: digits,
  shared: true,
};
const six: SelectionRule = {
  kind: 'GROUP',
  parts: [{ repeat: 1, choose: 3 }],
  of: digits,
  shared: true,
};
const doubleColour: SelectionRule = {
  kind: 'TICKET',
  parts: [
    { choose: 6, of: upTo(33), bankers: true },
    { choose: 1, of: upTo(16) },
  ],
};

const unitsIn = (text: string, rule: SelectionRule | null, rows: readonly string[] = []) =>
  unitsOf(readSelection(text, rule, rows), rule);
const refused = (text: string, rule: SelectionRule | null, rows: readonly string[] = []) => {
  try {
    readSelection(text, rule, rows);
  } catch (error) {
    if (error instanceof BadSelection) return error.message;
    throw error;
  }
  return undefined;
};

describe('selections as the wire writes them', () => {
  it.each([
    ['01,02,03,04,05', anyFive, 1],
    ['01,02,03,04,05,06,07', anyFive, 21],
    ['(01,02)03,04,05,06', anyFive, 4],
    ['(01,02,03,04)05', anyFive, 1],
    ['1,2|3|4,5', threeStars, 4],
    ['01,02|01,02|01,02,03', firstThree, 2],
    ['1|2,3,4', twelve, 3],
    ['0,1,2,3', pair, 12],
    ['0,1,2,3', six, 4],
    ['01,02,03,04,05,06+07', doubleColour, 1],
    ['(01,02)03,04,05,06,07+08,09', doubleColour, 10],
  ] satisfies [string, SelectionRule, number][])('%s', (text, rule, units) => {
    expect(SelectionRule.parse(rule)).toEqual(rule);
    expect(unitsIn(text, rule)).toBe(units);
    expect(printSelection(readSelection(text, rule, []), rule, [])).toBe(text);
  });

  it('single numbers, apart by a semicolon where they have commas themselves', () => {
    expect(unitsIn('大,小', null, ['大', '小'])).toBe(2);
    const rows = ['1,1,2', '3,3,4', '5'];
    const selection = readSelection('1,1,2;5', null, rows);
    expect(selection).toEqual([{ bankers: [], numbers: ['1,1,2', '5'] }]);
    expect(printSelection(selection, null, rows)).toBe('1,1,2;5');
  });

  it.each([
    ['', anyFive, '没有选号'],
    ['01,02,03,04', anyFive, '至少须选 5 个号码'],
    ['01,02,03,04,04', anyFive, '号码 04 重复'],
    ['(01)01,02,03,04', anyFive, '号码 01 重复'],
    ['01,02,03,04,5', anyFive, '不能选号码 5'],
    ['01,02,03,04, 05', anyFive, '不能选号码  05'],
    ['01,02,,03,04,05', anyFive, '选号中有空的号码'],
    ['(01,02,03,04,05)06', anyFive, '胆码须为 1 至 4 个'],
    ['()01,02,03,04,05', anyFive, '选号中有空的号码'],
    ['01,02(03)04,05', anyFive, '胆码须写在最前面的一对括号里'],
    ['(01)(02)03,04,05', anyFive, '胆码须写在最前面的一对括号里'],
    ['1,2|3', threeStars, '须有 3 个部分，实为 2 个'],
    ['1,2||3', threeStars, '第 2 部分没有选号'],
    ['1|(2)|3', threeStars, '第 2 部分不能设胆码'],
    ['1|1,2,3', twelve, '号码 1 不能同时选在两个部分'],
    ['1|2', twelve, '第 2 部分至少须选 2 个号码'],
    ['0', pair, '至少须选 2 个号码'],
    ['01,02,03,04,05,06', doubleColour, '须有 2 个部分，实为 1 个'],
    ['01,02,03,04,05,06+(07)08', doubleColour, '第 2 部分不能设胆码'],
    ['01,02,03,04,05,06+17', doubleColour, '第 2 部分不能选号码 17'],
  ] satisfies [string, SelectionRule, string][])('refuses %j', (text, rule, message) => {
    expect(refused(text, rule)).toBe(message);
  });

  it('refuses single numbers that have no odds, and the same one twice', () => {
    expect(refused('和', null, ['大', '小'])).toBe('不能选号码 和');
    expect(refused('大,大', null, ['大', '小'])).toBe('号码 大 重复');
    expect(refused('', null, ['大'])).toBe('没有选号');
    expect(refused('1;1,1', null, ['1', '1,1', '2'])).toBeUndefined();
    expect(refused(`大${','.repeat(20_000)}`, null, ['大'])).toBe('选号过长');
  });
});

describe('rules of selections', () => {
  const wrong = (rule: object) => {
    const { error } = SelectionRule.safeParse(rule);
    return error?.issues.map(({ message }) => message);
  };
  it('are refused where they cannot be', () => {
    expect(wrong({ ...anyFive, choose: 12 })).toEqual(['不能多于可选号码']);
    expect(wrong({ ...anyFive, of: ['01', '01', '02', '03', '04'] })).toEqual(['不能重复']);
    expect(wrong({ ...anyFive, kind: 'SINGLE' })).toEqual(['不是可选的方式']);
    expect(wrong({ ...threeStars, of: [digits, digits] })).toEqual(['须与部分一样多']);
    expect(
      wrong({
        ...twelve,
        parts: [
          { repeat: 1, choose: 1 },
          { repeat: 1, choose: 2 },
        ],
      }),
    ).toEqual(['各部分的重复次数不能相同']);
    expect(wrong({ ...pair, of: [digits, digits] })).toEqual(['在共用一组号码时只能有一个列表']);
    expect(wrong({ kind: 'TICKET', parts: [{ choose: 6 }] })).toEqual(['须每部分都有']);
  });
});
