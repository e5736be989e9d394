import fc from 'fast-check';
import { expect, it } from 'vitest';
import { given } from '#server/testing/given.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { moneyOf, tenThousandths } from '../bets/decimal.ts';
import {
  everyTies,
  type PlayedLine,
  type PlayedRules,
  playedTurnover,
} from '../bets-proof/turnover-proof.ts';
import { keptTurnover, type Opposing, type SingleLine } from './opposing.ts';

interface Ways {
  readonly handler: string;
  readonly options?: PlayedRules['options'];
  readonly odds: Readonly<Record<string, string>>;
}
const ways: Readonly<Record<string, Ways>> = {
  size: { handler: 'BigSmallHandler', odds: { 大: '1.985', 小: '1.985' } },
  tie: { handler: 'DragonTigerHandler', options: { tie: 'LOSE' }, odds: { 龙: '2', 虎: '2', 和: '9' } },
  tied: { handler: 'DragonTigerHandler', odds: { 龙: '2', 虎: '2', 和: '9' } },
  triple: { handler: 'SumOddEvenHandler', options: { tripleLoses: true }, odds: { 单: '1.9', 双: '1.9' } },
  both: { handler: 'SumCombinationHandler', odds: { 大单: '3.6', 大双: '4.2', 小单: '4.2', 小双: '3.6' } },
  digit: { handler: 'ValueHandler', odds: { '0': '3.7', '1': '3.8', '2': '3.9', '3': '3.7' } },
  tail: { handler: 'TailHandler', odds: { '0尾': '1.8', '1尾': '1.9' } },
};

interface Said {
  readonly numbers: readonly string[];
  readonly unitStake: string;
  readonly refund?: string;
}

const lineOf = (way: Ways, { numbers, unitStake, refund = '0' }: Said): SingleLine => ({
  ...{ handler: way.handler, version: 1, options: way.options ?? {}, unitStake: tenThousandths(unitStake) },
  numbers: numbers.map((number) => ({ number, odds: way.odds[number] ?? '' })),
  turnover: tenThousandths(unitStake) * BigInt(numbers.length) - tenThousandths(refund),
});
const kept = (name: string, lines: readonly Said[], mode: Opposing) => {
  const way = ways[name];
  if (!way) throw new Error(name);
  return keptTurnover(
    lines.map((line) => lineOf(way, line)),
    mode,
  ).map(moneyOf);
};
const on = (numbers: string, unitStake: string, refund?: string): Said => ({
  ...{ numbers: numbers.split(' '), unitStake },
  ...(refund ? { refund } : {}),
});

it('both sides of what covers every outcome are left out, or all but the difference', () => {
  const sides = [on('大', '50'), on('小', '70')];
  expect(kept('size', sides, 'BOTH')).toEqual(['0.00', '0.00']);
  expect(kept('size', sides, 'DIFFERENCE')).toEqual(['0.00', '20.00']);
  expect(kept('size', [on('大', '50'), on('大', '70')], 'BOTH')).toEqual(['50.00', '70.00']);
  // Of several lines on one side the last give way.
  expect(kept('size', [on('大', '30'), on('大', '40'), on('小', '50')], 'DIFFERENCE')).toEqual([
    '20.00',
    '0.00',
    '0.00',
  ]);
  expect(kept('size', [on('大 小', '10')], 'DIFFERENCE')).toEqual(['0.00']);
});

it('龙 and 虎 stand against each other whatever a tie makes of them, and so do 单 and 双 whatever a triple does', () => {
  expect(kept('tie', [on('龙', '5'), on('虎', '5'), on('和', '1')], 'BOTH')).toEqual([
    '0.00',
    '0.00',
    '0.00',
  ]);
  expect(kept('tie', [on('龙', '5'), on('虎', '3')], 'DIFFERENCE')).toEqual(['2.00', '0.00']);
  expect(kept('tie', [on('龙', '5'), on('和', '3')], 'BOTH')).toEqual(['5.00', '3.00']);
  expect(kept('triple', [on('单', '5'), on('双', '3')], 'DIFFERENCE')).toEqual(['2.00', '0.00']);
});

it('numbers of which exactly one wins are left out once no outcome could gain, others never', () => {
  expect(kept('digit', [on('0 1 2', '5')], 'BOTH')).toEqual(['15.00']);
  expect(kept('digit', [on('0 1 2', '5'), on('3', '2')], 'BOTH')).toEqual(['0.00', '0.00']);
  expect(kept('digit', [on('0 1 2', '5'), on('3', '2')], 'DIFFERENCE')).toEqual(['9.00', '0.00']);
  // A number that was bet at more than one row of odds counts at the lowest.
  const digit = given(ways.digit);
  const dearer = lineOf({ ...digit, odds: { '0': '10' } }, on('0', '1'));
  const all = keptTurnover([lineOf(digit, on('0 1 2 3', '5')), dearer], 'BOTH');
  expect(all.map(moneyOf)).toEqual(['0.00', '0.00']);
  expect(kept('both', [on('大单 大双 小单', '5')], 'BOTH')).toEqual(['15.00']);
  expect(kept('both', [on('大单 大双 小单', '5'), on('小双', '5')], 'BOTH')).toEqual(['0.00', '0.00']);
  expect(kept('tail', [on('0尾', '5'), on('1尾', '5')], 'BOTH')).toEqual(['5.00', '5.00']);
});

it('what a tie gave back stands against nothing, written as one line or as several', () => {
  expect(kept('tied', [on('龙 虎 和', '10', '20')], 'BOTH')).toEqual(['10.00']);
  expect(kept('tied', [on('龙 虎 和', '10', '20')], 'DIFFERENCE')).toEqual(['10.00']);
  expect(kept('tied', [on('龙 和', '10', '10'), on('虎 和', '5', '5')], 'BOTH')).toEqual(['10.00', '5.00']);
  // Without a tie both sides are left out, and 和 has lost.
  expect(kept('tied', [on('龙 虎 和', '10')], 'BOTH')).toEqual(['10.00']);
});

it('the proof of bets knows how ties were counted before they gave back what stands against nothing', () => {
  const rules: PlayedRules = {
    ...{ handler: 'DragonTigerHandler', options: {}, latitude: { id: 7, resultIndex: '0,4' } },
    ...{ selection: null, separator: ',', oddsFrom: 'NUMBER' },
    odds: Object.entries(given(ways.tied).odds).map(([number, odds]) => ({ number, odds })),
  };
  const line: PlayedLine = {
    ...{ userId: 1, gameId: 2, phase: '3', chain: '', rulesId: 1, selection: '龙,虎,和' },
    ...{ unitStake: '10', stake: '30', refund: '20' },
  };
  const counted = everyTies.map((ties) => [
    ...playedTurnover([line], new Map([[1, rules]]), 'BOTH', ties).values(),
  ]);
  expect(counted.map(([amount]) => moneyOf(amount ?? 0n))).toEqual(['10.00', '0.00']);
});

it('what was given back is no turnover, and none is below nothing', () => {
  expect(kept('size', [on('大', '50'), on('小', '70', '60')], 'DIFFERENCE')).toEqual(['0.00', '0.00']);
});

const said = (way: Ways) =>
  fc.record({
    numbers: fc.subarray(Object.keys(way.odds), { minLength: 1 }),
    unitStake: fc.integer({ min: 1, max: 60_000 }).map((units) => moneyOf(BigInt(units))),
    part: fc.integer({ min: 0, max: 3 }),
  });

/** What a draw gives back of a line: of 龙虎 by a tie both sides, of any other some part. */
const refundOf = (
  way: Ways,
  isTie: boolean,
  { numbers, unitStake, part }: { numbers: readonly string[]; unitStake: string; part: number },
) => {
  if (way !== ways.tied) return moneyOf((tenThousandths(unitStake) * BigInt(part)) / 4n);
  return moneyOf(
    tenThousandths(unitStake) * BigInt(isTie ? numbers.filter((each) => each !== '和').length : 0),
  );
};

it('any lines count as the proof of bets counts them by a way of its own, and never for more without than with the difference', () => {
  console.log(`opposing lines: seed ${randomSeed}`);
  const linesOfAWay = fc
    .constantFrom(...Object.values(ways))
    .chain((way) => fc.tuple(fc.constant(way), fc.array(said(way), { minLength: 1, maxLength: 7 })));
  fc.assert(
    fc.property(linesOfAWay, fc.boolean(), ([way, drawn], isTie) => {
      // A tie gives lines without 和 back whole: these neither won nor lost.
      const lines =
        way === ways.tied && isTie ? drawn.filter(({ numbers }) => numbers.includes('和')) : drawn;
      const rules: PlayedRules = {
        ...{ handler: way.handler, options: way.options ?? {}, latitude: { id: 7, resultIndex: '0' } },
        ...{ selection: null, separator: ',', oddsFrom: 'NUMBER' },
        odds: Object.entries(way.odds).map(([number, odds]) => ({ number, odds })),
      };
      const sums = (['BOTH', 'DIFFERENCE'] as const).map((mode) => {
        const own = keptTurnover(
          lines.map((line) => lineOf(way, { ...line, refund: refundOf(way, isTie, line) })),
          mode,
        ).reduce((sum, each) => sum + each, 0n);
        const played = lines.map(
          (line): PlayedLine => ({
            ...{ userId: 1, gameId: 2, phase: '3', chain: '', rulesId: 1, unitStake: line.unitStake },
            selection: line.numbers.join(','),
            stake: moneyOf(tenThousandths(line.unitStake) * BigInt(line.numbers.length)),
            refund: refundOf(way, isTie, line),
          }),
        );
        const [proven = 0n] = playedTurnover(played, new Map([[1, rules]]), mode).values();
        expect(own).toBe(proven);
        return own;
      });
      expect(sums[0]).toBeLessThanOrEqual(sums[1] ?? 0n);
    }),
    { seed: randomSeed, numRuns: 400 },
  );
});
