import { sql } from 'kysely';
import { DeskOrder, type OrderKey } from '#contract/money-desk.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { reasonsIn } from '#server/params/known-params.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';
import { withdrawalAbove } from '../approvals/money-rules.ts';
import { pageDeposits } from '../deposits/deposit-store.ts';
import { submitted, takenFields } from '../orders/takes.ts';
import { turnoverRest } from '../turnover-requirements/requirement-store.ts';
import { pageWithdrawals } from '../withdrawals/withdrawal-store.ts';
import { paramsOf, tableOf } from './desk-rights.ts';
import { readSinceDeposit } from './since-deposit.ts';

const LAST = 10;

/** The order as its list has it, without what only one kind has. Throws `recordNotFound`. */
async function readOrder(db: Db, { kind, id }: OrderKey): Promise<DeskOrder['order']> {
  const only = { id, currentPage: 1, pageSize: 1 };
  const [order] =
    kind === 'DEPOSIT'
      ? (await pageDeposits(db, only)).read().data.map((row) => ({ ...row, receiveAccount: null }))
      : (await pageWithdrawals(db, only)).read().data;
  if (!order) throw new Refusal('recordNotFound');
  return DeskOrder.shape.order.parse(order);
}

type Standing = Pick<DeskOrder, 'taker' | 'takenUntil' | 'own' | 'submitted'>;

async function readStanding(db: Db, { kind, id }: OrderKey, operator: SignedIn): Promise<Standing> {
  const table = tableOf(kind);
  const { rows } = await sql<Standing>`
    select ${takenFields('o', operator)}, ${submitted(table, sql`o.id`)} as submitted
    from ${sql.table(table)} o where id = ${id}`.execute(db);
  const [standing] = rows;
  if (!standing) throw new Refusal('recordNotFound');
  return standing;
}

type About = Pick<DeskOrder, 'player' | 'account' | 'paid'>;

async function readPlayer(db: Db, userId: number): Promise<About> {
  const paid = (table: 'deposit' | 'withdrawal') => sql`
    (select as_money(coalesce(sum(amount), 0))::text from ${sql.table(table)} where "userId" = ${userId} and status = 'SUCCESS')`;
  const at = (moment: string) => sql`to_char(p.${sql.ref(moment)}, 'YYYY-MM-DD HH24:MI:SS')`;
  const { rows } = await sql<About>`
    select json_build_object('realName', p."realName", 'level', p.level, 'agentId', p."agentId", 'createTime', ${at('createTime')},
        'frozen', p.frozen, 'freezeReason', p."freezeReason", 'testAccount', p."testAccount",
        'excludedUntil', case when p."excludedUntil" > now() then ${at('excludedUntil')} end) as player,
      json_build_object('totalAmount', a."totalAmount"::text, 'availableAmount', a."availableAmount"::text,
        'freezeAmount', a."freezeAmount"::text, 'debt', a.debt::text) as account,
      json_build_object('deposits', ${paid('deposit')}, 'withdrawals', ${paid('withdrawal')}) as paid
    from player p join account a on a."userId" = p.id where p.id = ${userId}`.execute(db);
  const [about] = rows;
  if (!about) throw new Error(`no player ${userId}`);
  return about;
}

/** The player's orders before and beside this one, newest first. */
async function readLast(db: Db, userId: number, { kind, id }: OrderKey): Promise<DeskOrder['last']> {
  const of = (one: OrderKey['kind']) => sql`
    (select ${one} as kind, id, amount, status, "createTime", reviewer, remark from ${sql.table(tableOf(one))}
      where "userId" = ${userId} order by id desc limit ${sql.lit(LAST + 1)})`;
  const { rows } = await sql<DeskOrder['last'][number]>`
    select * from (${of('DEPOSIT')} union all ${of('WITHDRAWAL')}) as o
    where not (kind = ${kind} and id = ${id}) order by "createTime" desc, id desc limit ${sql.lit(LAST)}`.execute(
    db,
  );
  return rows;
}

async function readLimits(db: Db, { kind, id }: OrderKey, operator: SignedIn): Promise<DeskOrder['limits']> {
  const lowest = await readParam(db, `${paramsOf(kind)}.minAmount`);
  const highest = await readParam(db, `${paramsOf(kind)}.maxAmount`);
  const said = (limit: string) => (Number(limit) === 0 ? null : limit);
  const asked = kind === 'WITHDRAWAL' && (await readParam(db, 'approval.enabled'));
  const approval = asked && (await withdrawalAbove(db, { id, action: 'PAID' }, operator)) !== undefined;
  return { lowest: said(lowest), highest: said(highest), approval };
}

/** Everything needed to decide an order. Throws `recordNotFound`. */
export async function readDeskOrder(db: Db, key: OrderKey, operator: SignedIn): Promise<DeskOrder> {
  const order = await readOrder(db, key);
  const { userId } = order;
  const [standing, about, last, sinceDeposit, rest, limits, reasons] = await Promise.all([
    readStanding(db, key, operator),
    readPlayer(db, userId),
    readLast(db, userId, key),
    readSinceDeposit(db, userId),
    turnoverRest(db, userId),
    readLimits(db, key, operator),
    readParam(db, `${paramsOf(key.kind)}.rejectReasons`),
  ]);
  return {
    ...{ kind: key.kind, order, ...standing, ...about, last, sinceDeposit, limits },
    turnoverRest: rest,
    reasons: reasonsIn(reasons),
  };
}
