import { contract } from '#contract/all.ts';
import type { OrderKind } from '#contract/money-desk.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import { lacking } from '#server/access/verdict.ts';
import type { OrderTable } from '../orders/takes.ts';

/** What lies where, what it takes to decide it, and the parameters of it. */
const kinds = {
  DEPOSIT: { table: 'deposit', decide: 'reviewDeposit', params: 'deposit' },
  WITHDRAWAL: { table: 'withdrawal', decide: 'markWithdrawal', params: 'withdraw' },
} as const;
const all: readonly OrderKind[] = ['DEPOSIT', 'WITHDRAWAL'];

export const tableOf = (kind: OrderKind): OrderTable => kinds[kind].table;
export const paramsOf = (kind: OrderKind): 'deposit' | 'withdraw' => kinds[kind].params;

/** The kinds of orders that are asked for and that an operator may decide. */
export const kindsFor = (operator: SignedIn, asked?: OrderKind): readonly OrderKind[] =>
  all.filter((kind) => {
    const { decide } = kinds[kind];
    return (asked === undefined || asked === kind) && operator.may(contract[decide]);
  });

/** The desk gives nothing that its operator could not decide. Throws `forbidden`. */
export function demandKind(operator: SignedIn, kind: OrderKind): void {
  if (!kindsFor(operator, kind).includes(kind)) throw lacking(kinds[kind].decide);
}
