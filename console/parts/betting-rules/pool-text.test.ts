import { expect, it } from 'vitest';
import { numbersIn } from '#contract/number-text.ts';
import { poolText } from './pool-text.ts';

it('reads ranges and single numbers, and writes them as shortly', () => {
  expect(numbersIn('01-03, 07，大')).toEqual(['01', '02', '03', '07', '大']);
  expect(numbersIn('8-11')).toEqual(['8', '9', '10', '11']);
  expect(numbersIn('5-1 0尾')).toEqual(['5-1', '0尾']);
  for (const text of ['01-33', '0-9', '1,3,5-7', '鼠,牛', '8-11', '08-11,49'])
    expect(poolText(numbersIn(text))).toBe(text);
  expect(poolText(['1', '2'])).toBe('1,2');
  expect(numbersIn('0-9999')).toEqual(['0-9999']);
});
