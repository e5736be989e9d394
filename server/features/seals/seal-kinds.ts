import { type RawBuilder, sql } from 'kysely';

/** The kinds of rows that are sealed. */
export const sealKinds = [
  ...(['LEDGER', 'DEBT', 'CHANGE', 'DRAW', 'CORRECTION', 'SLIP', 'OUTCOME'] as const),
  ...(['RULES', 'PROMISE', 'SOURCE', 'CORRECTED_SOURCE'] as const),
] as const;
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

const columns = (text: string, of = 'r'): string =>
  text
    .split(' ')
    .map((name) => `${of}."${name}"`)
    .join(', ');

const lines = `(select pg_catalog.string_agg(pg_catalog.record_send(row(${columns(
  'id playWayId rulesId selection units unitStake stake odds maxPayout',
  'l',
)})), ''::bytea order by l.id) from slip_line l where l."slipId" = r.id)`;

const promise = `(select pg_catalog.record_send(row(${columns('rules commitment seed createTime', 'c')}))
  from draw_commitment c where c."gameId" = r."gameId" and c.phase = r.phase)`;

/** The result a record was made with: corrections come after it, and are sealed themselves. */
const firstResult =
  'coalesce((select c."oldResult" from draw_correction c where c."recordId" = r.id order by c.id limit 1), r.result)';

/** By whose word a record was made, likewise; corrections of before know no source, and what was sealed after them is the first. */
const firstSource =
  'coalesce((select c."oldSource" from draw_correction c where c."recordId" = r.id and c."oldSource" is not null order by c.id limit 1), r.source, \'\')';

/**
 * What is sealed of each kind. What is sealed of one never changes, or its rows of before would prove no more: what more of a row is to be
 * sealed is a kind of its own over the same table, which begins with the first row there is. The text of a query is ours and calls no function of the database's own, so that who owns the database
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
  // Once for all the slips whose lines name them.
  RULES: {
    title: '注单规则',
    table: 'slip_rules',
    time: 'r."createTime"',
    content: columns(
      'id hash playWayId playWayName categoryName subCategoryName rules cellSeparator book mayPush lineCap fewDraws createTime',
    ),
  },
  PROMISE: {
    title: '开奖承诺',
    table: 'promise_order',
    time: 'r."createTime"',
    content: `${columns('id gameId phase')}, ${promise}`,
  },
  SOURCE: {
    title: '开奖来源',
    table: 'draw_record',
    time: 'r."createTime"',
    content: `r.id, ${firstSource}`,
  },
  CORRECTED_SOURCE: {
    title: '更正的来源',
    table: 'draw_correction',
    time: 'r."createTime"',
    content: columns('id recordId oldSource newSource'),
  },
};

/** The rows of a kind with their hashes; `where` says which. */
export function hashedRows(kind: SealKind, where: RawBuilder<unknown>): RawBuilder<unknown> {
  const { table, time, content } = sealedKinds[kind];
  return sql`select r.id, ${sql.raw(time)} as at, pg_catalog.sha256(pg_catalog.record_send(row(${sql.raw(content)}))) as hash
    from ${sql.table(table)} r where ${where}`;
}
