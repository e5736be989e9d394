import { describe, expect, it } from 'vitest';
import { countText, moneyText, sumOf } from './money.ts';

it('adds amounts exactly, however many and however small', () => {
  expect(sumOf([])).toBe('0.00');
  expect(sumOf(['0.1', '0.2'])).toBe('0.30');
  expect(sumOf(['999999999999.9999', '0.0001', '1'])).toBe('1000000000001.00');
  expect(sumOf(['1.5', '-2.0005'])).toBe('-0.5005');
});

describe('money', () => {
  it.each([
    ['0', '0.00'],
    ['0.00', '0.00'],
    ['7.5', '7.50'],
    ['999', '999.00'],
    ['1000', '1,000.00'],
    ['1234981.62', '1,234,981.62'],
    ['-1234567.8901', '-1,234,567.8901'],
    ['+50', '+50.00'],
    ['12.3400', '12.34'],
    ['12.3410', '12.341'],
    ['999999999999.9999', '999,999,999,999.9999'],
    ['1234567890123456789.10', '1,234,567,890,123,456,789.10'],
  ])('%s is written %s', (money, shown) => {
    expect(moneyText(money)).toBe(shown);
  });

  it('counts have their thousands set apart, and no places', () => {
    expect([0, 999, 1_000, 1_234_567, '5201360'].map(countText)).toEqual([
      '0',
      '999',
      '1,000',
      '1,234,567',
      '5,201,360',
    ]);
  });
});
