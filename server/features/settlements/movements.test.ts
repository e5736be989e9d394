import fc from 'fast-check';
import { expect, it } from 'vitest';
import { outgoingChanges } from '#contract/named-fields.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { slipOrderNo } from '../ledger/order-numbers.ts';
import { difference, entriesOf, type Moved } from './movements.ts';
import { type LineTarget, pendingLine, slipTarget, voidLine } from './target.ts';

const UNIT = 10_000n;
const text = (units: bigint): string => `${units / UNIT}.${String(units % UNIT).padStart(4, '0')}`;
const units = (amount: string): bigint => {
  const [whole = '', places = ''] = amount.replace('-', '').split('.');
  const size = BigInt(whole) * UNIT + BigInt(places.padEnd(4, '0'));
  return amount.startsWith('-') ? -size : size;
};

/** A line of so many units of 2.0001 each, as a draw may leave it. */
const judged = fc
  .record({
    units: fc.integer({ min: 1, max: 9 }),
    won: fc.nat(),
    pushed: fc.nat(),
    odds: fc.bigInt(1n, 9_0000n),
  })
  .map(({ units: all, won, pushed, odds }) => {
    const winningUnits = won % (all + 1);
    const pushedUnits = pushed % (all - winningUnits + 1);
    const target: LineTarget = {
      ...{ winningUnits, pushedUnits },
      payout: text(BigInt(winningUnits) * odds * 2n),
      refund: text(BigInt(pushedUnits) * 20_001n),
      status: winningUnits > 0 ? 'WON' : pushedUnits === all ? 'PUSHED' : 'LOST',
    };
    return target;
  });
const line = fc.oneof(
  { arbitrary: judged, weight: 4 },
  { arbitrary: fc.constantFrom(voidLine('18.0009'), pendingLine), weight: 1 },
);
const lines = fc.array(line, { minLength: 1, maxLength: 5 });

it('a slip is won if any unit won, else pushed if every unit that counts was, else lost; void if none counts', () => {
  fc.assert(
    fc.property(lines, (all) => {
      const counting = all.filter(({ status }) => status !== 'VOID');
      const told = slipTarget(all);
      const wanted =
        counting.length === 0
          ? 'VOID'
          : counting.some(({ status }) => status === 'PENDING')
            ? 'PENDING'
            : counting.some(({ winningUnits }) => winningUnits > 0)
              ? 'WON'
              : counting.some(({ status }) => status === 'LOST')
                ? 'LOST'
                : 'PUSHED';
      expect(told.status).toBe(wanted);
      expect(units(told.payout)).toBe(all.reduce((total, each) => total + units(each.payout), 0n));
      expect(units(told.refund)).toBe(all.reduce((total, each) => total + units(each.refund), 0n));
    }),
    { seed: randomSeed, numRuns: 500 },
  );
});

it('however often a slip is settled anew, what has moved is what the last settlement says, payout and refund apart', () => {
  fc.assert(
    fc.property(fc.array(lines, { minLength: 1, maxLength: 8 }), (targets) => {
      let moved: Moved = { payout: '0', refund: '0' };
      const ledger = { WIN: 0n, WIN_REVERSAL: 0n, BET_REFUND: 0n, REFUND_REVERSAL: 0n };
      const numbers: string[] = [];
      for (const [index, all] of targets.entries()) {
        const target = slipTarget(all);
        const bizOrderNo = slipOrderNo(7, index + 1);
        const entries = entriesOf(difference(target, moved), { userId: 3, bizOrderNo, desc: '' });
        expect(new Set(entries.map(({ changeType }) => changeType)).size).toBe(entries.length);
        for (const { changeType, amount, source, ...entry } of entries) {
          expect(entry).toEqual({ userId: 3, bizOrderNo, desc: '' });
          expect(units(amount)).toBeGreaterThan(0n);
          // What cannot be given back is owed; what is given is nobody's debt.
          expect(source === 'OWING').toBe((outgoingChanges as readonly string[]).includes(changeType));
          ledger[changeType as keyof typeof ledger] += units(amount);
        }
        // What comes in stands before what goes out.
        expect(entries.map(({ source }) => source === 'OWING')).toEqual(
          entries.map(({ source }) => source === 'OWING').toSorted((a, b) => Number(a) - Number(b)),
        );
        moved = target;
        numbers.push(bizOrderNo);
        expect(ledger.WIN - ledger.WIN_REVERSAL).toBe(units(target.payout));
        expect(ledger.BET_REFUND - ledger.REFUND_REVERSAL).toBe(units(target.refund));
      }
      expect(new Set(numbers).size).toBe(targets.length);
      expect(entriesOf(difference(moved, moved), { userId: 3, bizOrderNo: 'B7/99', desc: '' })).toEqual([]);
    }),
    { seed: randomSeed, numRuns: 500 },
  );
});
