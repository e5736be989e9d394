import { Decimal } from 'decimal.js';
import { debtHash } from './chain.ts';
import type { readAccountEnds, readChain, readDebts } from './ledger-store.ts';

type Debt = Awaited<ReturnType<typeof readDebts>>[number];
type LedgerRow = Awaited<ReturnType<typeof readChain>>[number];
type AccountEnd = Awaited<ReturnType<typeof readAccountEnds>>[number];
type Note = (found: { userId: number; accountSeq: number; problem: string }) => void;

const nothing: Pick<Debt, 'debtSeq' | 'newDebt' | 'hash'> = {
  debtSeq: 0,
  newDebt: '0.00',
  hash: Buffer.alloc(0),
};

const placeOf = ({ userId, accountSeq }: { userId: number; accountSeq: number | null }): string =>
  `${userId}/${accountSeq}`;

/** What is wrong with a debt that follows `before`. */
function problemOf(before: typeof nothing, debt: Debt): string | undefined {
  const which = `第 ${debt.debtSeq} 条欠款`;
  if (debt.debtSeq !== before.debtSeq + 1) return `${which}的序号不连续：上一条是 ${before.debtSeq}`;
  if (!new Decimal(debt.originDebt).equals(before.newDebt))
    return `${which}的变动前欠款 ${debt.originDebt} 不等于上一条的变动后欠款 ${before.newDebt}`;
  const change = new Decimal(debt.amount).times(debt.kind === 'OWED' ? 1 : -1);
  const after = change.plus(debt.originDebt);
  if (!after.equals(debt.newDebt) || after.isNegative()) return `${which}的变动后欠款 ${debt.newDebt} 算错`;
  if (!debtHash(before.hash, debt).equals(debt.hash)) return `${which}的哈希链断裂：本条或之前的内容被改动`;
  return undefined;
}

/**
 * Proves the debts of some accounts while their ledgers are read: that they are numbered, add up and carry their hashes, that each belongs to
 * its row of the ledger, and every repayment in the ledger to a debt.
 */
export class DebtProof {
  readonly #note: Note;
  readonly #ends = new Map<number, typeof nothing>();
  /** Debts whose row of the ledger has not been seen yet. */
  readonly #awaited = new Map<string, Debt>();

  constructor(debts: readonly Debt[], note: Note) {
    this.#note = note;
    for (const debt of debts) {
      const { userId, accountSeq } = debt;
      const problem = problemOf(this.#ends.get(userId) ?? nothing, debt);
      if (problem) note({ userId, accountSeq: accountSeq ?? 0, problem });
      this.#ends.set(userId, debt);
      if (accountSeq === null) continue;
      if (this.#awaited.has(placeOf(debt)))
        note({ userId, accountSeq, problem: '两条欠款记录指向同一条账变' });
      this.#awaited.set(placeOf(debt), debt);
    }
  }

  /** A row of the ledger, with the debt that belongs to it. */
  see(row: LedgerRow): void {
    const debt = this.#awaited.get(placeOf(row));
    this.#awaited.delete(placeOf(row));
    const { changeType, bizOrderNo, amount } = row;
    const isRepayment = changeType === 'DEBT_REPAYMENT';
    if (!debt && !isRepayment) return;
    const fits =
      debt?.changeType === changeType &&
      debt.bizOrderNo === bizOrderNo &&
      (!isRepayment || new Decimal(debt.amount).equals(amount));
    if (!fits) this.#note({ ...row, problem: '与所属的欠款记录不符' });
  }

  /** After all rows: the account as it stands. */
  end({ userId, availableAmount, ...account }: AccountEnd): void {
    const end = this.#ends.get(userId) ?? nothing;
    const wrong = (problem: string) => this.#note({ userId, accountSeq: 0, problem });
    if (!new Decimal(account.debt).equals(end.newDebt))
      wrong(`欠款 ${account.debt} 不等于最后一条欠款记录的 ${end.newDebt}`);
    else if (account.debtSeq !== end.debtSeq)
      wrong(`欠款记录应有 ${account.debtSeq} 条，实有 ${end.debtSeq} 条`);
    else if (!account.debtHash.equals(end.hash)) wrong('账户记录的欠款链尾与最后一条欠款不符');
    if (!new Decimal(account.debt).isZero() && !new Decimal(availableAmount).isZero())
      wrong(`有欠款 ${account.debt}，却仍有可用余额 ${availableAmount}`);
  }

  /** When all accounts are through: debts whose rows never came. */
  finish(): void {
    for (const debt of this.#awaited.values())
      this.#note({
        userId: debt.userId,
        accountSeq: debt.accountSeq ?? 0,
        problem: '欠款记录所属的账变不存在',
      });
  }
}
