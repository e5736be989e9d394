import { Decimal } from 'decimal.js';
import type { Entry } from '../ledger/ledger-store.ts';

/** What a player got for a slip: winnings, and stakes given back. */
export interface Moved {
  readonly payout: string;
  readonly refund: string;
}

/** A slip as the ledger names it: its order number, and what it is about. */
export interface Numbered {
  readonly userId: number;
  readonly bizOrderNo: string;
  readonly desc: string;
}

/** The difference between what was moved and what should be; negative where money is taken back. */
export const difference = (target: Moved, moved: Moved): Moved => ({
  payout: new Decimal(target.payout).minus(moved.payout).toFixed(),
  refund: new Decimal(target.refund).minus(moved.refund).toFixed(),
});

const kinds = [
  { of: 'payout', more: 'WIN', less: 'WIN_REVERSAL' },
  { of: 'refund', more: 'BET_REFUND', less: 'REFUND_REVERSAL' },
] as const;

/**
 * The entries that move a difference. What a slip gives comes before what it takes back, so that nobody owes what the same slip brings.
 */
export function entriesOf(moving: Moved, { userId, bizOrderNo, desc }: Numbered): Entry[] {
  const entries = kinds.flatMap(({ of, more, less }): Entry[] => {
    const amount = new Decimal(moving[of]);
    if (amount.isZero()) return [];
    const entry = { userId, amount: amount.abs().toFixed(), bizOrderNo, desc };
    return amount.isNegative()
      ? [{ ...entry, changeType: less, source: 'OWING' }]
      : [{ ...entry, changeType: more }];
  });
  return entries.toSorted((one, other) => Number(one.source === 'OWING') - Number(other.source === 'OWING'));
}
