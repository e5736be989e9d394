import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BetCase } from '#server/testing/bet-blocks.ts';
import { betCases } from '#server/testing/bet-cases.ts';
import { everyResult, everyUnit } from '#server/testing/brute-bets.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { tenThousandths } from './decimal.ts';
import { judge } from './judge.ts';
import { maxPayout } from './max-payout.ts';
import { payoutOf } from './payout.ts';
import type { Play } from './play.ts';
import { printSelection, readSelection } from './selection-text.ts';
import { unitChances } from './unit-chances.ts';
import { unitsOf } from './units.ts';

const DATE = '2018-09-15';

/** What listing says of one draw: how many units are paid at which odds, and how many are given back. */
function listed({ selection, play, told }: BetCase, drawn: readonly string[]) {
  const units = play.rule ? everyUnit(selection, play.rule) : [];
  const each = units.map((unit) => told(unit, drawn));
  const paid = each.reduce((sum, odds) => sum + (odds && odds !== 'PUSH' ? tenThousandths(odds) : 0n), 0n);
  const won = each.filter((odds) => odds && odds !== 'PUSH').length;
  return { units: units.length, paid, won, pushed: each.filter((odds) => odds === 'PUSH').length };
}

const drawOf = (play: Play, drawn: readonly string[]) => play.read(drawn.join(','), `${DATE} 12:00:00`);

describe.each(Object.entries(betCases))('arithmetic equals a list: %s', (_, cases) => {
  it('of units and of what they win, whatever is drawn', () => {
    fc.assert(
      fc.property(cases, fc.nat(), (one, pick) => {
        const { play, selection } = one;
        const results = everyResult(play.rules.resultRule ?? { parts: [] });
        const drawn = results[pick % results.length] ?? [];
        const wanted = listed(one, drawn);
        expect(unitsOf(selection, play.rule)).toBe(wanted.units);
        const judged = judge(selection, play, drawOf(play, drawn));
        expect(judged.won.reduce((sum, { units }) => sum + units, 0)).toBe(wanted.won);
        expect(judged.pushed).toBe(wanted.pushed);
        expect(tenThousandths(payoutOf(judged, '1', play.oddsOf))).toBe(wanted.paid);
      }),
      { seed: randomSeed, numRuns: 300 },
    );
  });

  it('of the chances of a unit and of the most that a line can be paid, over all draws', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const { play, selection, told } = one;
        const results = everyResult(play.rules.resultRule ?? { parts: [] });
        const paid = results.map((drawn) => listed(one, drawn).paid);
        const most = paid.toSorted((a, b) => Number(b - a))[0];
        expect(tenThousandths(maxPayout(play, selection, '1', DATE))).toBe(most);
        const [unit] = play.rule ? everyUnit(selection, play.rule) : [];
        if (!unit) return;
        const chances = unitChances(
          play,
          unit.map((numbers) => ({ bankers: [], numbers })),
          DATE,
        );
        const outcomes = results.map((drawn) => told(unit, drawn));
        const won = outcomes.filter((odds) => odds && odds !== 'PUSH').length;
        const pushed = outcomes.filter((odds) => odds === 'PUSH').length;
        const { won: rows = new Map(), pushed: back = 0n, total = 0n } = chances ?? {};
        const all = [...rows.values()].reduce((sum, draws) => sum + draws, 0n);
        // A list has every order of a draw, arithmetic may count draws: only the quotients are the same.
        expect(all * BigInt(results.length)).toBe(BigInt(won) * total);
        expect(back * BigInt(results.length)).toBe(BigInt(pushed) * total);
        expect(total).toBeGreaterThan(0n);
      }),
      { seed: randomSeed, numRuns: 60 },
    );
  }, 120_000);

  it('and a selection is written and read back', () => {
    fc.assert(
      fc.property(cases, ({ play: { rule }, selection }) => {
        expect(readSelection(printSelection(selection, rule, []), rule, [])).toEqual(selection);
      }),
      { seed: randomSeed },
    );
  });
});
