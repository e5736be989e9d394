import { type SqlBool, sql } from 'kysely';
import type { AccountHistory } from '#contract/account-history.ts';
import type { Db } from '#server/db/database.ts';
import { errorCode } from '#server/db/driver/outage.ts';
import { Refusal } from '#server/refusal.ts';

export type ChangeType = AccountHistory['changeType'];

/** Money to be moved. Amounts are exact decimals without a sign. */
export interface Entry {
  userId: number;
  /** FREEZE sets money of the account aside and UNFREEZE gives it back: the total stays, and the ledger says nothing of it. */
  changeType: ChangeType | 'FREEZE' | 'UNFREEZE';
  amount: string;
  bizOrderNo: string | null;
  desc: string | null;
  /** Where money out is taken from, if not from what is available: from what is FROZEN, or OWING what is not there. */
  source?: 'FROZEN' | 'OWING';
  /** For movements of the past. */
  at?: string;
}

/** What became of an entry, as `post_entries` (db/schema.sql) tells it. */
export interface Posted {
  /** Of its row in the ledger; nothing where none was written. */
  id: number | null;
  userId: number;
  originAmount: string;
  /** After the row itself. */
  newAmount: string;
  /** After all of it, a debt that was paid off included. */
  totalAmount: string;
  /** What is owed because it could not be taken. */
  owed: string;
  problem: Problem | null;
}

// What the database's functions raise or tell.
const refusals = {
  MN001: 'balanceTooLow',
  MN002: 'recordNotFound',
  MN003: 'balanceTooHigh',
  MN004: 'orderNumberTaken',
  MN005: 'debtOutstanding',
} as const;
export type Problem = keyof typeof refusals;

/** Whether an error's code is what posting raises. */
export const isProblem = (code: string): code is Problem => code in refusals;

/** What a move or entry is refused for. */
export function refusalOfProblem(problem: string): Refusal {
  if (!isProblem(problem)) throw new Error(`unknown problem ${problem}`);
  return new Refusal(refusals[problem]);
}

const numbered = ['account_history_biz', 'account_debt_biz'];
const takesUsedNumber = (error: unknown): boolean =>
  error instanceof Error &&
  'constraint_name' in error &&
  numbered.some((name) => name === error.constraint_name);

/** Says what posting raises in words of the wire. */
export async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = errorCode(error);
    if (isProblem(code)) throw refusalOfProblem(code);
    if (takesUsedNumber(error)) throw new Refusal('orderNumberTaken');
    throw error;
  }
}

const posted = sql`id, "userId", "originAmount", "newAmount", "totalAmount", owed, problem`;

const each = <T>(entries: readonly Entry[], value: (entry: Entry) => T): T[] => entries.map(value);
const columns = (entries: readonly Entry[]) => sql`
  ${each(entries, ({ userId }) => userId)}::bigint[], ${each(entries, ({ changeType }) => changeType)}::text[],
  ${each(entries, ({ amount }) => amount)}::numeric[], ${each(entries, ({ bizOrderNo }) => bizOrderNo)}::text[],
  ${each(entries, ({ desc }) => desc)}::text[]`;

/**
 * Moves money: every change of a balance goes through here. All or none, in order, with one row of the ledger each and one update an
 * account; what is owed is paid off first from whatever comes in. Throws `balanceTooLow`, `balanceTooHigh`, `debtOutstanding`,
 * `orderNumberTaken` (also when the very same was posted before) and, for an unknown user, `recordNotFound`. Entries that `standAlone` are
 * posted without those that cannot be, whose `problem` tells why.
 */
export async function postAll(
  db: Db,
  entries: readonly Entry[],
  { standAlone = false } = {},
): Promise<Posted[]> {
  const { rows } = await refusing(
    sql<Posted>`select ${posted} from post_entries(${columns(entries)},
      ${each(entries, ({ source }) => source ?? null)}::text[], ${each(entries, ({ at }) => at ?? null)}::timestamptz[],
      ${standAlone})`.execute(db),
  );
  return rows;
}

/** As `postAll`, one entry. */
export async function post(db: Db, entry: Entry): Promise<Posted> {
  const [row] = await postAll(db, [entry]);
  if (!row) throw new Error('nothing came of an entry');
  return row;
}

/**
 * As `postAll`, entries from outside: one whose order number and type were posted before answers its row of then, with problem MN004 where
 * its content was another.
 */
export async function postForeign(db: Db, entries: readonly Entry[]): Promise<Posted[]> {
  const { rows } = await refusing(
    sql<Posted>`select ${posted} from post_foreign_entries(${columns(entries)})`.execute(db),
  );
  return rows;
}

/**
 * Writes off a part of what an account's player owes, without moving money; gives what was owed before and after. Throws `recordNotFound`
 * and, at the amount, `debtTooLow`.
 */
export async function writeOff(db: Db, account: number, amount: string) {
  const told = sql<Record<'before' | 'after', string>>`select * from write_off_debt(${account}, ${amount})`;
  const { rows } = await refusing(told.execute(db)).catch((error: unknown) => {
    throw errorCode(error) === 'MN007' ? new Refusal('debtTooLow', { field: 'amount' }) : error;
  });
  const [row] = rows;
  if (!row) throw new Error('nothing came of a write-off');
  return row;
}

/** Rows of accounts up to user `to`, after a place, in the order of their chains; with what their hashes are made of. */
export async function readChain(
  db: Db,
  after: { userId: number; accountSeq: number },
  to: number,
  limit: number,
) {
  const later = sql<SqlBool>`("userId", "accountSeq") > (${after.userId}::bigint, ${after.accountSeq}::bigint)`;
  return db
    .selectFrom('account_history')
    .select(['userId', 'accountSeq', 'originAmount', 'amount', 'newAmount', 'direction', 'changeType'])
    .select(['bizOrderNo', 'desc', 'hash'])
    .select(sql<string>`((extract(epoch from "createTime") * 1000000)::bigint)::text`.as('micros'))
    .where(later)
    .where('userId', '<=', to)
    .orderBy('userId')
    .orderBy('accountSeq')
    .limit(limit)
    .execute();
}

/** Debts of accounts from a user up to another, in the order of their chains. */
export async function readDebts(db: Db, from: number, to: number) {
  return db
    .selectFrom('account_debt')
    .select(['userId', 'debtSeq', 'kind', 'originDebt', 'amount', 'newDebt', 'accountSeq'])
    .select(['changeType', 'bizOrderNo', 'hash'])
    .select(sql<string>`((extract(epoch from "createTime") * 1000000)::bigint)::text`.as('micros'))
    .where('userId', '>=', from)
    .where('userId', '<=', to)
    .orderBy('userId')
    .orderBy('debtSeq')
    .execute();
}

/** Accounts after a user, with where their chains should end. */
export async function readAccountEnds(db: Db, afterUserId: number, limit: number) {
  return db
    .selectFrom('account')
    .select(['userId', 'totalAmount', 'availableAmount', 'freezeAmount', 'lastSeq', 'lastHash'])
    .select(['debt', 'debtSeq', 'debtHash'])
    .where('userId', '>', afterUserId)
    .orderBy('userId')
    .limit(limit)
    .execute();
}
