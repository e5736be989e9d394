import { reviewDeposit } from '#contract/deposits.ts';
import { type OrderKind, orderKind } from '#contract/money-desk.ts';
import { markWithdrawal } from '#contract/withdrawals.ts';
import { useMay } from '../../kit/call/index.ts';

/** What it takes to decide each kind of order. */
export const deciding = { DEPOSIT: reviewDeposit, WITHDRAWAL: markWithdrawal } as const;

/** The kinds of orders that the operator may decide: the desk has no others. */
export function useDecidedKinds(): readonly OrderKind[] {
  const may = { DEPOSIT: useMay(deciding.DEPOSIT), WITHDRAWAL: useMay(deciding.WITHDRAWAL) };
  return orderKind.options.filter((kind) => may[kind]);
}
