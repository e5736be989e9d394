import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomSeed } from '#server/testing/random-seed.ts';
import { decimalOf, moneyOf, tenThousandths } from './decimal.ts';

it.each([
  ['0', 0n],
  ['12', 120_000n],
  ['0.05', 500n],
  ['-0.5', -5000n],
  ['-12.3456', -123_456n],
])('%s is %s ten-thousandths', (decimal, units) => {
  expect(tenThousandths(decimal)).toBe(units);
});

it('more than four places are no ten-thousandths', () => {
  expect(() => tenThousandths('1.50000')).toThrow('more than 4 places');
});

it('money has two decimals at least, and its sign also where less than one is below zero', () => {
  expect([0n, 5000n, 120_000n, 1n, -5000n, -120_001n].map(moneyOf)).toEqual([
    ...['0.00', '0.50', '12.00', '0.0001', '-0.50', '-12.0001'],
  ]);
});

it('what is written is read back', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 20n), 10n ** 20n), (units) => {
      expect(tenThousandths(moneyOf(units))).toBe(units);
      const size = units < 0n ? -units : units;
      expect(tenThousandths(decimalOf(size))).toBe(size);
    }),
    { seed: randomSeed },
  );
});
