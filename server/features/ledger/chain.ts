import { createHash } from 'node:crypto';

/** A ledger row's content, decimals as text, the time in microseconds since 1970. */
export interface Link {
  userId: number;
  accountSeq: number;
  originAmount: string;
  amount: string;
  newAmount: string;
  direction: string;
  changeType: string;
  bizOrderNo: string | null;
  desc: string | null;
  micros: string;
}

// PostgreSQL escapes in JSON texts what JSON demands, and writes U+007F and beyond as they are: like JSON.stringify.
const json = (value: string | null): string => JSON.stringify(value);

/**
 * A link of an account's chain, computed apart from the database that stores it: SHA-256 over the link before (nothing
 * before the first) and the row as a JSON array. `ledger_hash` (db/schema.sql) says the same in SQL.
 */
export function linkHash(previous: Buffer, link: Link): Buffer {
  const { userId, accountSeq, originAmount, amount, newAmount, direction, changeType } = link;
  const texts = [originAmount, amount, newAmount, direction, changeType, link.bizOrderNo, link.desc].map(
    json,
  );
  const content = `[${[userId, accountSeq, ...texts, link.micros].join(', ')}]`;
  return createHash('sha256').update(previous).update(content).digest();
}

/** A debt's content, as a ledger row's. */
export interface DebtLink {
  userId: number;
  debtSeq: number;
  kind: string;
  originDebt: string;
  amount: string;
  newDebt: string;
  accountSeq: number | null;
  changeType: string;
  bizOrderNo: string | null;
  micros: string;
}

/** A link of an account's chain of debts; `debt_hash` (db/schema.sql) says the same in SQL. */
export function debtHash(previous: Buffer, link: DebtLink): Buffer {
  const { userId, debtSeq, kind, originDebt, amount, newDebt, accountSeq, changeType, bizOrderNo } = link;
  const texts = [kind, originDebt, amount, newDebt].map(json);
  const rest = [accountSeq, json(changeType), json(bizOrderNo), link.micros];
  const content = `[${[userId, debtSeq, ...texts, ...rest].map(String).join(', ')}]`;
  return createHash('sha256').update(previous).update(content).digest();
}
