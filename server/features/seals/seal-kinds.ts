import { type RawBuilder, sql } from 'kysely';

/** The kinds of rows that are sealed. */
export const sealKinds = ['LEDGER', 'DEBT', 'CHANGE', 'DRAW', 'CORRECTION', 'SLIP', 'OUTCOME'] as const;
export type SealKind = (typeof sealKinds)[number];

interface Sealed {
  /** How a finding calls a row. */
  readonly title: string;
  readonly table: string;
  /** When a row came about; an expression over `r`. */
  readonly time: string;
  /** All that is sealed of a row, as expressions over `r`; what may change later is none of it. */
  readonly content: string;
}

const columns = (text: string): string =>
  text
    .split(' ')
    .map((name) => `r."${name}"`)
    .join(', ');

const lines = `(select pg_catalog.string_agg(pg_catalog.record_send(row(${columns(
  'id playWayId rulesId selection units unitStake stake odds maxPayout',
).replaceAll('r.', 'l.')})), ''::bytea order by l.id) from slip_line l where l."slipId" = r.id)`;

/** The result a record was made with: corrections come after it, and are sealed themselves. */
const firstResult =
  'coalesce((select c."oldResult" from draw_correction c where c."recordId" = r.id order by c.id limit 1), r.result)';

/**
 * What is sealed of each kind. The text of a query is ours and calls no function of the database's own, so that who owns the database
 * cannot change what is compared.
 */
export const sealedKinds: Readonly<Record<SealKind, Sealed>> = {
  LEDGER: {
    title: '账变',
    table: 'account_history',
    time: 'r."createTime"',
    content: columns(
      'id userId accountSeq originAmount amount newAmount direction changeType bizOrderNo desc createTime hash',
    ),
  },
  DEBT: {
    title: '欠款记录',
    table: 'account_debt',
    time: 'r."createTime"',
    content: columns(
      'id userId debtSeq kind originDebt amount newDebt accountSeq changeType bizOrderNo createTime hash',
    ),
  },
  CHANGE: {
    title: '操作日志',
    table: 'change_record',
    time: 'r."createTime"',
    content: columns(
      'id createTime operatorId userName call summary targetId input before after address outcome msg',
    ),
  },
  DRAW: {
    title: '开奖记录',
    table: 'draw_record',
    time: 'r."createTime"',
    content: `${columns('id gameId phase openTime createTime seed')}, ${firstResult}`,
  },
  CORRECTION: {
    title: '开奖更正',
    table: 'draw_correction',
    time: 'r."createTime"',
    content: columns('id recordId operatorId userName oldResult newResult reason createTime'),
  },
  SLIP: {
    title: '注单',
    table: 'slip',
    time: 'r."createTime"',
    content: `${columns(
      'id bizNo userId gameId planId phase drawTime stake acceptOdds agents testAccount contentHash createTime',
    )}, ${lines}`,
  },
  OUTCOME: {
    title: '注单结算',
    table: 'slip_settlement',
    time: 'r."createTime"',
    content: columns('id slipId n settlementId status payout refund movedPayout movedRefund createTime'),
  },
};

/** The rows of a kind with their hashes; `where` says which. */
export function hashedRows(kind: SealKind, where: RawBuilder<unknown>): RawBuilder<unknown> {
  const { table, time, content } = sealedKinds[kind];
  return sql`select r.id, ${sql.raw(time)} as at, pg_catalog.sha256(pg_catalog.record_send(row(${sql.raw(content)}))) as hash
    from ${sql.table(table)} r where ${where}`;
}
