import { expect, it } from 'vitest';
import { number } from './named-fields.ts';
import { numbersIn, plainNumber } from './number-text.ts';
import { ResultPart } from './result-rules.ts';

it('reads ranges, and whatever stands between commas, spaces and line breaks', () => {
  expect(numbersIn(' 08-11,大；小\n\n49-01、7 ')).toEqual(['08', '09', '10', '11', '大', '小', '49-01', '7']);
  expect(numbersIn('')).toEqual([]);
  expect(numbersIn('0001-1000')).toHaveLength(1000);
  expect(numbersIn('0-1000')).toEqual(['0-1000']);
});

it('takes what an input method typed in full width for what was meant', () => {
  expect(numbersIn('０８－１０，７')).toEqual(['08', '09', '10', '7']);
  expect(number.parse('０７')).toBe('07');
  expect(number.parse(' １，１，２ ')).toBe('1,1,2');
  expect(number.parse('大单')).toBe('大单');
});

it('holds what a result is made of to the numbers of its game, and takes no character that nobody sees', () => {
  const partOf = (...of: string[]) =>
    ResultPart.safeParse({ count: 1, of, repeat: true, ordered: true }).data?.of;
  expect(partOf('０１', '０２')).toEqual(['01', '02']);
  expect(partOf('１', '1')).toBeUndefined();
  for (const unseen of ['1\u200b', '\u200d2', '大\ufe0f', '\u202e3', '4\u2800', '5\u0007']) {
    expect(number.safeParse(unseen).success, JSON.stringify(unseen)).toBe(false);
    expect(partOf(unseen), JSON.stringify(unseen)).toBeUndefined();
  }
  expect(number.parse('Big Small')).toBe('Big Small');
});

it('stops where a text names more than any list takes', () => {
  expect(numbersIn('0000-0999,'.repeat(100_000)).length).toBeLessThan(12_000);
});

it('a number that is pasted or typed with an input method is the number it shows', () => {
  const same: readonly [text: string, number: string][] = [
    [' 1234.50\t', '1234.50'],
    ['1,234,567.5', '1234567.5'],
    ['１２３４．５０', '1234.50'],
    ['１，２３４', '1234'],
    ['12。5', '12.5'],
    ['\u202a100\u202c', '100'],
    ['\u00a07 ', '7'],
    ['12.', '12.'],
    ['007', '007'],
  ];
  for (const [text, number] of same) expect(plainNumber(text), JSON.stringify(text)).toBe(number);
});

it('what is no number, or more than one, stays for the server to refuse', () => {
  for (const text of [
    '',
    ' ',
    '1 234',
    '1,23',
    '0,980',
    '12,34.5',
    '1,234,5',
    '-1',
    '1e3',
    '¥5',
    '0x10',
    '1.2.3',
    'wang1',
  ])
    expect(plainNumber(text), JSON.stringify(text)).toBe(text);
});
