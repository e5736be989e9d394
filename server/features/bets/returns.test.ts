import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResultRule } from '#contract/result-rules.ts';
import type { SelectionRule } from '#contract/selections.ts';
import { everyResult, subsetsOf } from '#server/testing/brute-bets.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { drawSpace, everyDraw, sizeOf } from './draw-space.ts';
import { type OddsRow, playOf } from './play.ts';
import { returnsOf } from './returns.ts';
import { singleChances } from './single-chances.ts';
import { sumsOf } from './sums.ts';

const DATE = '2018-09-15';
const numbersTo = (most: number, from = 1) =>
  Array.from({ length: most - from + 1 }, (_, index) => String(from + index));
const game = (count: number, of: readonly string[], repeat: boolean, ordered = true): ResultRule => ({
  parts: [{ count, of: [...of], repeat, ordered }],
});
const dice = game(3, numbersTo(6), true);
const markSix = game(7, numbersTo(49), false);

interface Way {
  readonly resultIndex?: string;
  readonly options?: object;
  readonly selection?: SelectionRule;
  readonly lowest?: boolean;
}

function play(resultRule: ResultRule | null, handler: string, odds: Record<string, string>, way: Way = {}) {
  const { resultIndex = '*', options, selection = null, lowest = false } = way;
  const rows = Object.entries(odds).map(([number, each]): OddsRow => ({ number, odds: each }));
  return playOf({
    latitude: { resultIndex, resultHandlerName: handler, handlerOptions: options && JSON.stringify(options) },
    ...{ selection, rows, resultRule },
    oddsFrom: lowest ? 'LOWEST' : selection ? 'OUTCOME' : 'NUMBER',
  });
}

/** The returns of the rows by their numbers, and the best of all bets. */
function told(...args: Parameters<typeof play>) {
  const { rows, best } = returnsOf(play(...args), DATE);
  return { ...Object.fromEntries(rows.map(({ number, returned }) => [number, returned])), best };
}

const total = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0);
/** C(n, k) in floating point. */
const ways = (n: number, k: number): number => (k === 0 ? 1 : (ways(n - 1, k - 1) * n) / k);

describe('returns', () => {
  it('of numbers are probability x odds, and what comes back counts 1', () => {
    const pk10 = game(10, numbersTo(10), false);
    expect(told(pk10, 'ValueHandler', { 1: '9.85' }, { resultIndex: '0' })).toEqual({
      1: '0.985',
      best: '0.985',
    });
    const sides = { resultIndex: '6', options: { from: 25, push: [49] } };
    // 24 of 49 win at 2, one is given back: exactly 1.
    expect(told(markSix, 'BigSmallHandler', { 大: '2', 小: '2.0001' }, sides)).toEqual({
      ...{ 大: '1', 小: '1.0001' },
      best: '1.0001',
    });
    const tie = { resultIndex: '0,1' };
    expect(told(game(2, numbersTo(9, 0), true), 'DragonTigerHandler', { 龙: '2', 和: '9' }, tie)).toEqual({
      ...{ 龙: '1', 和: '0.9' },
      best: '1',
    });
  });

  it('of 快3: a triple may lose, a pair may be part of it', () => {
    const from = { from: 11 };
    expect(told(dice, 'SumBigSmallHandler', { 大: '1.95' }, { options: from })).toMatchObject({
      大: '0.975',
    });
    // 105 of 216 throws are big and no triple.
    expect(
      told(dice, 'SumBigSmallHandler', { 大: '1.95' }, { options: { ...from, tripleLoses: true } }),
    ).toMatchObject({ 大: '0.948' });
    // 16 of 216: fifteen with another number, and the triple.
    expect(told(dice, 'ContainsHandler', { '1,1': '13.5', '1,1,1': '216', 1: '2' })).toEqual({
      ...{ '1,1': '1', '1,1,1': '1', 1: '0.8426' },
      best: '1',
    });
  });

  it('of units: 快乐8 选十 by tiers, 双色球 by all its prizes, 任选五', () => {
    const happy = game(20, numbersTo(80), false, false);
    const ten = { kind: 'COMBINATION', choose: 10, of: numbersTo(80) } as const;
    const prizes = Object.fromEntries([10, 9, 8, 7, 6, 5, 0].map((hits) => [`中${hits}`, [[hits]]]));
    const odds = { 中10: '2500000', 中9: '4000', 中8: '400', 中7: '40', 中6: '5', 中5: '1.5', 中0: '1' };
    const { rows, best } = returnsOf(
      play(happy, 'PrizesHandler', odds, { selection: ten, options: { prizes } }),
      DATE,
    );
    // One in 8,911,711 has all ten.
    const [all] = rows;
    expect(Number(all?.chance?.total) / Number(all?.chance?.won)).toBeCloseTo(8_911_711.18, 1);
    const chance = (hits: number) => (ways(20, hits) * ways(60, 10 - hits)) / ways(80, 10);
    const paid = Object.entries(odds).map(([name, each]) => chance(Number(name.slice(1))) * Number(each));
    expect(Number(best)).toBeCloseTo(total(paid), 3);
    const five = { kind: 'COMBINATION', choose: 5, of: numbersTo(11) } as const;
    const anyFive = { selection: five };
    expect(told(game(5, numbersTo(11), false), 'ContainsHandler', { 任选五: '462' }, anyFive).best).toBe('1');
    const eight = { selection: { kind: 'COMBINATION', choose: 8, of: numbersTo(11) } as const };
    // 56 of 462 draws lie within eight numbers.
    expect(told(game(5, numbersTo(11), false), 'ContainsHandler', { 任选八: '8.25' }, eight).best).toBe('1');
  });

  it('of the lowest row: that of the unit which comes most easily', () => {
    const animals = [...'狗鸡猴羊马蛇龙兔虎牛鼠猪'];
    const odds = Object.fromEntries(animals.map((animal, place) => [animal, place === 0 ? '3' : '4']));
    const two = { kind: 'COMBINATION', choose: 2, of: animals } as const;
    const { rows } = returnsOf(play(markSix, 'ZodiacHandler', odds, { selection: two, lowest: true }), DATE);
    const bothCome = (balls: number, more: number) => {
      // Draws with none of some balls, taken from all: what is left has at least one of each animal.
      const none = (without: number) =>
        Array.from({ length: 7 }, (_, place) => 49 - without - place).reduce(
          (product, each) => product * each,
          1,
        );
      return (none(0) - none(balls) - none(more) + none(balls + more)) / none(0);
    };
    expect(Number(rows[0]?.returned)).toBeCloseTo(bothCome(5, 4) * 3, 3);
    expect(Number(rows[1]?.returned)).toBeCloseTo(bothCome(4, 4) * 4, 3);
  });

  it('are not told where nobody said what a result is, or which of an unordered part is meant', () => {
    expect(told(null, 'ValueHandler', { 1: '9' }, { resultIndex: '0' })).toEqual({ 1: null, best: null });
    const sorted = game(6, numbersTo(33), false, false);
    expect(told(sorted, 'ValueHandler', { 1: '9' }, { resultIndex: '0' })).toEqual({ 1: null, best: null });
    expect(told(sorted, 'ValueHandler', { 1: '9' }, { resultIndex: '7' })).toEqual({ 1: null, best: null });
    expect(told(sorted, 'ContainsHandler', { 1: '5.5' })).toEqual({ 1: '1', best: '1' });
  });
});

describe('chances by arithmetic', () => {
  const small = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 4, max: 7 }), fc.boolean(), fc.boolean())
    .map(([count, size, repeat, ordered]) => game(count, numbersTo(size), repeat, ordered));

  it('of single numbers and of combinations equal a list of all draws', () => {
    fc.assert(
      fc.property(
        small,
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 }),
        (rule, parts) => {
          const number = parts.join();
          const chances = singleChances(play(rule, 'ContainsHandler', { [number]: '2' }), DATE)(number);
          const results = everyResult(rule);
          const has = (drawn: readonly string[]) =>
            subsetsOf(drawn, parts.length).some(
              (some) => some.toSorted().join() === parts.map(String).toSorted().join(),
            );
          const won = parts.length > (rule.parts[0]?.count ?? 0) ? 0 : results.filter(has).length;
          expect(chances && chances.won * BigInt(results.length)).toBe(BigInt(won) * (chances?.total ?? 0n));
        },
      ),
      { seed: randomSeed },
    );
  });

  it('of sums equal a list of all draws, of several parts as well', () => {
    fc.assert(
      fc.property(fc.array(small, { minLength: 1, maxLength: 2 }), (rules) => {
        const rule = {
          parts: rules.flatMap(({ parts }) =>
            parts.map((part) => ({ ...part, count: Math.min(part.count, 3) })),
          ),
        };
        const space = drawSpace(rule, '*');
        const sums = space && sumsOf(space);
        const listed = new Map<number, number>();
        const results = everyResult(rule);
        for (const drawn of results) {
          const sum = drawn.reduce((all, each) => all + Number(each), 0);
          listed.set(sum, (listed.get(sum) ?? 0) + 1);
        }
        const total = sums?.values().reduce((all, each) => all + each, 0n) ?? 0n;
        for (const [sum, ways] of listed)
          expect((sums?.get(sum) ?? 0n) * BigInt(results.length)).toBe(BigInt(ways) * total);
        expect(sums?.size).toBe(listed.size);
        expect(space && [...everyDraw(space)].length).toBe(Number(space && sizeOf(space)));
      }),
      { seed: randomSeed, numRuns: 30 },
    );
  });
});
