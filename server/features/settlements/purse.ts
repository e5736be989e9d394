import { Decimal } from 'decimal.js';

/** What a player has available and owes. Nothing is available while something is owed. */
export interface Purse {
  readonly available: string;
  readonly debt: string;
}

/**
 * Follows what a player has while differences of slips move one after the other: what comes in pays debts first, what is taken back comes
 * from what is there. Tells of each difference what cannot be taken.
 */
export function purseOf(purse: Purse): (difference: Decimal) => Decimal {
  let available = new Decimal(purse.available);
  let debt = new Decimal(purse.debt);
  return (difference) => {
    const taken = Decimal.max(difference.negated(), 0);
    const shortfall = Decimal.max(taken.minus(available), 0);
    const given = Decimal.max(difference, 0);
    const repaid = Decimal.min(debt, given);
    available = available.plus(given).minus(repaid).minus(taken.minus(shortfall));
    debt = debt.minus(repaid).plus(shortfall);
    return shortfall;
  };
}
