import { expect, it } from 'vitest';
import { pastedInto, times } from './odds-table.ts';

const lines = ['01', '02', '大'].map((number, index) => ({
  number,
  numberId: index + 1,
  seen: '2',
  odds: '2',
}));
const pasted = (text: string, from?: number) => {
  const read = pastedInto(lines, text, from);
  return 'odds' in read ? Object.fromEntries(read.odds) : read.problem;
};

it('reads numbers with odds, or odds alone from a line on', () => {
  expect(pasted('02\t3.5\r\n大\t1.985\r\n')).toEqual({ 2: '3.5', 3: '1.985' });
  expect(pasted('3.5\n4', 1)).toEqual({ 2: '3.5', 3: '4' });
  expect(pasted('01,2.0001')).toEqual({ 1: '2.0001' });
});

it('reads odds as a spreadsheet shows them', () => {
  expect(pasted('01\t1,980.50\r\n02\t 2 \r\n')).toEqual({ 1: '1980.50', 2: '2' });
  expect(pasted('01\t１．９８\n大 ２')).toEqual({ 1: '1.98', 3: '2' });
  expect(pasted('大 \t2')).toEqual({ 3: '2' });
});

it('leaves alone the numbers whose cells are empty', () => {
  expect(pasted('3.5\n\n4\n\n')).toEqual({ 1: '3.5', 3: '4' });
  expect(pasted('\r\n3.5\r\n')).toEqual({ 2: '3.5' });
  expect(pasted('01\t2\n\n大\t3')).toEqual({ 1: '2', 3: '3' });
  expect(pasted('3.5\n\n=B2')).toBe('第 3 行：“=B2”不是赔率');
  expect(pasted('01\t2\n\n2\n5')).toBe('第 4 行：多于表中的号码');
  // A number without odds is not taken for odds.
  expect(pasted('01\t2\n02\t\n大\t3')).toBe('第 2 行：“02”后面的格子是空的');
});

it('says which line is wrong, and takes none of it', () => {
  expect(pasted('01\t2\n09\t3')).toBe('第 2 行：没有号码 09');
  expect(pasted('01\t2\n02\t=B2')).toBe('第 2 行：“=B2”不是赔率');
  expect(pasted('01\t0')).toBe('第 1 行：“0”不是赔率');
  expect(pasted('01\t2\n01\t3')).toBe('第 2 行：号码 01 出现了两次');
  expect(pasted('1\n2', 2)).toBe('第 2 行：多于表中的号码');
});

it('multiplies exactly and rounds to four places', () => {
  expect(times('47', '0.98')).toBe('46.06');
  expect(times('1.985', '1.05')).toBe('2.0843');
  expect(times('999999999999', '1')).toBe('999999999999');
  expect(times('0.0001', '0.1')).toBe('0.0001');
});
