import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesPath, matchesTemplate, patternsOf, touchesTemplate } from './ant-pattern.ts';

const table: [pattern: string, path: string, expected: boolean][] = [
  ['/pms/role/list', '/pms/role/list', true],
  ['/pms/role/list', '/pms/role/lists', false],
  ['/pms/role/list', '/PMS/role/list', false],
  ['/pms/role/list', '/pms/role/list/', false],
  ['/pms/*/list', '/pms/role/list', true],
  ['/pms/*/list', '/pms/a/b/list', false],
  ['/pms/**', '/pms', true],
  ['/pms/**', '/pms/role/deleteById/3', true],
  ['/pms/**/list', '/pms/list', true],
  ['/**', '/anything/at/all', true],
  ['/pms/r?le/list', '/pms/role/list', true],
  ['/pms/r?le/list', '/pms/rle/list', false],
  ['/pms/role/deleteById/*', '/pms/role/deleteById/7', true],
  ['/pms/role/deleteById/*', '/pms/role/deleteById/7/8', false],
  ['/pms/ro*e/l*t', '/pms/role/list', true],
  ['/a.c', '/abc', false],
];

describe('Ant-style patterns', () => {
  it.each(table)('%s against %s: %s', (pattern, path, expected) => {
    expect(matchesPath(pattern, path)).toBe(expected);
  });

  it('agree with the equivalent regular expression on random small patterns', () => {
    const segment = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 4 });
    const plain = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 });
    const patterns = fc.array(fc.oneof(segment, fc.constant('**')), { minLength: 1, maxLength: 4 });
    const toRegExp = (parts: string[]) =>
      new RegExp(
        `^${parts
          .map((part) =>
            /^\*\*$/.test(part)
              ? '(/[^/]+)*'
              : `/${part.replaceAll(/\*+/g, '[^/]*').replaceAll('?', '[^/]')}`,
          )
          .join('')}$`,
      );
    fc.assert(
      fc.property(patterns, fc.array(plain, { minLength: 1, maxLength: 4 }), (parts, path) => {
        const pattern = `/${parts.join('/')}`;
        expect(matchesPath(pattern, `/${path.join('/')}`)).toBe(toRegExp(parts).test(`/${path.join('/')}`));
      }),
      { numRuns: 2_000 },
    );
  });

  // Trying every way to match would outlast everybody.
  it('comes to an end on a pattern made to backtrack', { timeout: 10_000 }, () => {
    expect(matchesPath(`/${'*a'.repeat(900)}b`, `/${'a'.repeat(2_000)}`)).toBe(false);
  });

  it('tells what opens a whole call from what opens some of it', () => {
    const template = '/lotteryGame/changeStatus/{id}/{status}';
    expect(matchesTemplate('/lotteryGame/changeStatus/*/*', template)).toBe(true);
    expect(matchesTemplate('/lotteryGame/**', template)).toBe(true);
    expect(matchesTemplate('/lotteryGame/changeStatus/5/*', template)).toBe(false);
    expect(touchesTemplate('/lotteryGame/changeStatus/5/*', template)).toBe(true);
    expect(touchesTemplate('/lotteryGame/changeBetStatus/5/*', template)).toBe(false);
  });

  it('reads several patterns from one expression and drops what is none', () => {
    expect(patternsOf(' /a/* , /b/**,, nonsense ')).toEqual(['/a/*', '/b/**']);
    expect(patternsOf(null)).toEqual([]);
  });
});
