import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSeed } from '#server/testing/random-seed.ts';
import { marginOf } from './margin.ts';

const sides = { resultHandlerName: 'BigSmallHandler', handlerOptions: null };
const numbers = { resultHandlerName: 'ValueHandler', handlerOptions: null };
const each = (...odds: string[]) => odds.map((one, index) => ({ number: String(index), odds: one }));

describe('the margin', () => {
  it('is exact where the parts are endless decimals, and cut to four places', () => {
    expect(marginOf(numbers, each('3', '3', '3'))).toBe('1');
    expect(marginOf(numbers, each('1.5', '3'))).toBe('1');
    expect(marginOf(numbers, each('7', '7', '7', '7', '7', '7', '7.0001'))).toBe('0.9999');
    expect(marginOf(numbers, each('9.9', ...Array(9).fill('9.900')))).toBe('1.0101');
    expect(marginOf(numbers, each('0.0001', '999999999999.9999'))).toBe('10000');
  });

  it('wants all of a set of words, and none where several may win or nobody knows the set', () => {
    const big = { number: '大', odds: '1.985' };
    expect(marginOf(sides, [big, { number: '小', odds: '1.985' }])).toBe('1.0075');
    expect(marginOf(sides, [big, { number: '1', odds: '1.985' }])).toBeNull();
    expect(marginOf({ ...sides, resultHandlerName: 'ContainsHandler' }, each('2', '2'))).toBeNull();
    expect(marginOf(numbers, each('2'))).toBeNull();
    expect(marginOf(undefined, each('2', '2'))).toBeNull();
  });

  it('is below 1 exactly when the house loses: stakes that all pay the same sum cost more than that sum', () => {
    const odds = fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom(1, 10, 100, 10_000));
    fc.assert(
      fc.property(fc.array(odds, { minLength: 2, maxLength: 6 }), (parts) => {
        const margin = marginOf(numbers, each(...parts.map(([whole, scale]) => String(whole / scale))));
        // To be paid `prize` whatever comes, stake prize / odds on each number: whole where prize is their product.
        const prize = parts.reduce((product, [whole]) => product * BigInt(whole), 1n);
        const staked = parts.reduce(
          (sum, [whole, scale]) => sum + (prize / BigInt(whole)) * BigInt(scale),
          0n,
        );
        expect(Number(margin) < 1).toBe(staked < prize);
      }),
      { seed: randomSeed },
    );
  });
});
