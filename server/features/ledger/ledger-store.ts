import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AccountHistory } from '#contract/account-history.ts';
import type { Db } from '#server/db/database.ts';
import { errorCode } from '#server/db/outage.ts';
import { Refusal } from '#server/refusal.ts';

export type ChangeType = AccountHistory['changeType'];

/** Money to be moved. Amounts are exact decimals without a sign. */
interface Movement {
  changeType: ChangeType;
  amount: string;
  bizOrderNo: string | null;
  desc: string | null;
  /** Takes from what is frozen instead of what is available. */
  frozen?: boolean;
}

/** Whose money is moved, and how. */
export interface Entry extends Movement {
  userId: number;
}

/** A movement as it stands in the ledger. */
export interface Posted {
  id: number;
  userId: number;
  bizOrderNo: string | null;
  changeType: ChangeType;
  originAmount: string;
  newAmount: string;
}

// What post_entry raises, see migrations/0031-money.sql.
const refusals = { MN001: 'balanceTooLow', MN002: 'recordNotFound', MN003: 'balanceTooHigh' } as const;

const isRaised = (code: string): code is keyof typeof refusals => code in refusals;

async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = errorCode(error);
    if (isRaised(code)) throw new Refusal(refusals[code]);
    throw error;
  }
}

const posted = sql`id, "userId", "bizOrderNo", "changeType", "originAmount", "newAmount"`;

const postEntry = (
  user: RawBuilder<unknown>,
  { changeType, amount, bizOrderNo, desc, frozen = false }: Movement,
) =>
  sql`post_entry(${user}, ${changeType}::text, ${amount}::numeric, ${bizOrderNo}::text, ${desc}::text, ${frozen}::boolean)`;

/**
 * Moves money in one account: every change of a balance goes through here, `postToAccount` or `postAll`. Inside a
 * transaction. Throws `balanceTooLow`, `balanceTooHigh` and, for an unknown user, `recordNotFound`.
 */
export async function post(db: Db, { userId, ...movement }: Entry): Promise<Posted> {
  const { rows } = await refusing(
    sql<Posted>`select ${posted} from ${postEntry(sql`${userId}::bigint`, movement)}`.execute(db),
  );
  const [row] = rows;
  if (!row) throw new Error('post_entry returned nothing');
  return row;
}

/** As `post`, into the account of this id. */
export async function postToAccount(db: Db, accountId: number, movement: Movement): Promise<Posted> {
  const { rows } = await refusing(
    sql<Posted>`select p.* from account a, lateral (select ${posted} from ${postEntry(sql`a."userId"`, movement)}) p
      where a.id = ${accountId}`.execute(db),
  );
  const [row] = rows;
  if (!row) throw new Refusal('recordNotFound');
  return row;
}

/** An entry of a batch; `at` is for movements of the past. */
export type BatchEntry = Omit<Entry, 'frozen'> & { at?: string };

/**
 * Posts all or none, in order, and answers them in that order; what was posted before under the same order number and
 * type is answered as it was posted then. Throws as `post` does.
 */
export async function postAll(db: Db, entries: readonly BatchEntry[]): Promise<Posted[]> {
  const { rows } = await refusing(
    sql<Posted>`select ${posted} from post_entries(${JSON.stringify(entries)}::jsonb)`.execute(db),
  );
  return rows;
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

/** Accounts after a user, with where their chains should end. */
export async function readAccountEnds(db: Db, afterUserId: number, limit: number) {
  return db
    .selectFrom('account')
    .select(['userId', 'totalAmount', 'availableAmount', 'freezeAmount', 'lastSeq', 'lastHash'])
    .where('userId', '>', afterUserId)
    .orderBy('userId')
    .limit(limit)
    .execute();
}
