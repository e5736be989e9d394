import { Decimal } from 'decimal.js';
import type { Db } from '#server/db/database.ts';
import { linkHash } from './chain.ts';
import { DebtProof } from './debt-proof.ts';
import { readAccountEnds, readChain, readDebts } from './ledger-store.ts';

/** Where a ledger is not what it should be: the row (0: the account itself) and what is wrong, in Chinese. */
export interface Break {
  userId: number;
  accountSeq: number;
  problem: string;
}

export interface LedgerProof {
  accounts: number;
  rows: number;
  debts: number;
  /** How many places are broken; the first of them in `breaks`. */
  broken: number;
  breaks: Break[];
}

/** More would say no more, and a ledger that is wrong throughout must not fill the memory. */
const MOST_KEPT = 1_000;

function note(proof: LedgerProof, found: Break): void {
  proof.broken++;
  const { userId, accountSeq, problem } = found;
  if (proof.breaks.length < MOST_KEPT) proof.breaks.push({ userId, accountSeq, problem });
}

type ChainRow = Awaited<ReturnType<typeof readChain>>[number];
type AccountEnd = Awaited<ReturnType<typeof readAccountEnds>>[number];

/** The last row seen of an account; before its first row nothing has happened. */
interface End {
  userId: number;
  accountSeq: number;
  newAmount: string;
  hash: Buffer;
}

const startOf = (userId: number): End => ({
  userId,
  accountSeq: 0,
  newAmount: '0.00',
  hash: Buffer.alloc(0),
});

const moved = ({ originAmount, amount, direction }: ChainRow): Decimal =>
  direction === 'IN' ? new Decimal(originAmount).plus(amount) : new Decimal(originAmount).minus(amount);

/** What is wrong with a row that follows `before`. */
function problemOf(before: End, row: ChainRow): string | undefined {
  if (row.accountSeq !== before.accountSeq + 1) return `序号不连续：上一条是 ${before.accountSeq}`;
  if (!new Decimal(row.originAmount).equals(before.newAmount))
    return `变动前金额 ${row.originAmount} 不等于上一条的变动后金额 ${before.newAmount}`;
  if (!moved(row).equals(row.newAmount)) return `变动后金额 ${row.newAmount} 算错`;
  if (new Decimal(row.newAmount).isNegative()) return `变动后金额 ${row.newAmount} 为负`;
  if (!linkHash(before.hash, row).equals(row.hash)) return '哈希链断裂：本条或之前的内容被改动';
  return undefined;
}

/** What is wrong with an account whose ledger ends so. */
function problemOfAccount(end: End, account: AccountEnd): string | undefined {
  const total = new Decimal(account.totalAmount);
  const parts = new Decimal(account.availableAmount).plus(account.freezeAmount);
  if (!total.equals(parts)) return `总金额 ${account.totalAmount} 不等于可用与冻结之和`;
  if (total.isNegative() || account.availableAmount.startsWith('-') || account.freezeAmount.startsWith('-'))
    return '账户金额为负';
  if (!total.equals(end.newAmount))
    return `总金额 ${account.totalAmount} 不等于最后一条账变的 ${end.newAmount}`;
  if (account.lastSeq !== end.accountSeq) return `账变应有 ${account.lastSeq} 条，实有 ${end.accountSeq} 条`;
  if (!account.lastHash.equals(end.hash)) return '账户记录的链尾与最后一条账变不符';
  return undefined;
}

const BATCH_ACCOUNTS = 500;
const BATCH_ROWS = 1_000;

interface Range {
  from: number;
  to: number;
}

/** The last rows of accounts `from` to `to`, reporting breaks on the way. A batch of rows is in memory at a time. */
async function endsOf(
  db: Db,
  { from, to }: Range,
  proof: LedgerProof,
  debts: DebtProof,
): Promise<Map<number, End>> {
  const ends = new Map<number, End>();
  let place = { userId: from, accountSeq: -1 };
  for (;;) {
    const rows = await readChain(db, place, to, BATCH_ROWS);
    for (const row of rows) {
      const problem = problemOf(ends.get(row.userId) ?? startOf(row.userId), row);
      if (problem) note(proof, { userId: row.userId, accountSeq: row.accountSeq, problem });
      debts.see(row);
      ends.set(row.userId, row);
    }
    proof.rows += rows.length;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_ROWS) return ends;
    place = last;
  }
}

/**
 * Proves every account: that its rows are numbered without gaps, follow one another, add up and carry the hashes their
 * contents call for, and that the account is what its last row says; and all debts likewise. Some accounts at a time, each batch in one snapshot,
 * so that it holds while money moves.
 */
export async function proveLedger(
  db: Db,
  onProgress: (proof: LedgerProof) => void = () => {},
): Promise<LedgerProof> {
  const proof: LedgerProof = { accounts: 0, rows: 0, debts: 0, broken: 0, breaks: [] };
  for (let after = 0; ; ) {
    const batch = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        const accounts = await readAccountEnds(tx, after, BATCH_ACCOUNTS);
        const last = accounts.at(-1)?.userId ?? after;
        const owed = await readDebts(tx, after + 1, last);
        const debts = new DebtProof(owed, (found) => note(proof, found));
        const ends = await endsOf(tx, { from: after + 1, to: last }, proof, debts);
        for (const account of accounts) {
          const { userId } = account;
          const problem = problemOfAccount(ends.get(userId) ?? startOf(userId), account);
          if (problem) note(proof, { userId, accountSeq: 0, problem });
          debts.end(account);
        }
        debts.finish();
        proof.debts += owed.length;
        return { size: accounts.length, last };
      });
    proof.accounts += batch.size;
    onProgress(proof);
    if (batch.size < BATCH_ACCOUNTS) return proof;
    after = batch.last;
  }
}
