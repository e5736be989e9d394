import { sql } from 'kysely';
import type { AccessChange, pageApprovals as pageOfApprovals } from '#contract/approvals.ts';
import type { Input } from '#contract/endpoint.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import { cut } from '#server/db/cut.ts';
import type { Db } from '#server/db/database.ts';
import { deleteSome } from '#server/db/delete-some.ts';
import { orderBy } from '#server/db/list-order.ts';
import { pageOfFew } from '#server/db/page.ts';
import { contains, equals, on, same, where, within } from '#server/db/where.ts';
import type { NewApproval } from '#server/http/handler.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';
import type { Vault } from '#server/vault.ts';
import { inList, isShortened } from '../change-records/long-content.ts';
import { holdOrder } from '../orders/takes.ts';
import { demandEnough, operatorsAbleToSignIn } from './who-releases.ts';

const bindingOf = (id: number): string => `approval:${id}`;
const jsonb = (value: unknown) => (value === undefined ? null : sql`${JSON.stringify(value)}::jsonb`);

/** Keeps a call that waits for somebody else; gives its number. Throws `approversTooFew`, and of an order what `holdOrder` does. */
export async function keepApproval(
  { db, vault }: { db: Db; vault: Vault },
  { raw, operator, address, agent, input, before, after, access, ...rest }: NewApproval,
): Promise<number> {
  // What the call did was undone, and what it held let go: meanwhile somebody else may have decided the same order, or handed it in.
  if (rest.call === 'markWithdrawal') await holdOrder(db, 'withdrawal', Number(rest.targetId), operator);
  demandEnough(await operatorsAbleToSignIn(db), rest.release);
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('approval', 'id')) as id`.execute(db);
  const id = Number(rows[0]?.id);
  const hours = await readParam(db, 'approval.expireHours');
  await db
    .insertInto('approval')
    .values({
      id,
      ...rest,
      input: sql`${input}::jsonb`,
      before: jsonb(before),
      after: jsonb(after),
      access: jsonb(access),
      sealed: vault.seal(JSON.stringify(raw), bindingOf(id)),
      expireTime: sql`clock_timestamp() + make_interval(hours => ${hours})`,
      ...{ makerId: operator.id, maker: operator.userName, makerSession: operator.sessionId },
      ...{ makerAddress: address, makerAgent: agent },
    })
    .execute();
  return id;
}

/**
 * Whether its time has passed without anybody having decided it, by the database's clock; where that was ahead, and was set back since, what
 * was typed is forgotten all the same.
 */
const expired = sql<boolean>`(approval.status = 'PENDING' and (approval."expireTime" <= clock_timestamp() or approval.sealed is null))`;
const statusNow = sql<'PENDING' | 'RELEASED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED'>`
  case when ${expired} then 'EXPIRED' else approval.status end`;

const words = { RELEASED: '已放行', REJECTED: '已驳回', WITHDRAWN: '已撤回', EXPIRED: '已过期' } as const;

/** An approval that can still be decided; with `lock` nobody else decides it until the transaction ends. Throws `approvalDecided`. */
export async function findPending(db: Db, id: number, lock: boolean) {
  // The clock is read once the lock is held.
  if (lock) await sql`select from approval where id = ${id} for no key update`.execute(db);
  const query = db.selectFrom('approval').selectAll().select(statusNow.as('now')).where('id', '=', id);
  const found = await query.executeTakeFirst();
  if (!found) throw new Refusal('recordNotFound');
  const { now, sealed, ...approval } = found;
  if (now !== 'PENDING') throw new Refusal('approvalDecided', { values: { status: words[now] } });
  if (!sealed) throw new Error(`nothing is left of approval ${id}`);
  return { ...approval, sealed };
}

/** What was typed, as it came. */
export const rawOf = (vault: Vault, { id, sealed }: { id: number; sealed: Buffer }): object =>
  JSON.parse(vault.open(sealed, bindingOf(id)));

interface Decision {
  id: number;
  status: 'RELEASED' | 'REJECTED' | 'WITHDRAWN';
  operator: SignedIn;
  address: string;
  reason: string | undefined;
}

/** Ends an approval, and with it what was typed. */
export async function decide(db: Db, { id, status, operator, address, reason }: Decision): Promise<void> {
  await db
    .updateTable('approval')
    .set({ status, sealed: null, decideTime: sql`clock_timestamp()`, decideReason: reason ?? null })
    .set({ checkerId: operator.id, checker: operator.userName, checkerAddress: address })
    .where('id', '=', id)
    .execute();
}

const age = sql<number>`
  greatest(0, extract(epoch from coalesce("decideTime", least(clock_timestamp(), "expireTime")) - "createTime"))::int`;

/** The row that a call of these names is about: the number is looked at of no other, which may have none. */
const targetOf = (...calls: readonly string[]) => sql`
  case when call in (${sql.join(calls.map((call) => sql.lit(call)))}) then "targetId"::bigint end`;

/** Whose money a call moves, and how much, where it is one player's. */
const moved = sql<{ userId: number; username: string | null; amount: string }>`lateral (
  select m."userId", p.username, as_money(m.amount)::text as amount from (
    select "userId", (input ->> 'balance')::numeric as amount from account where id = ${targetOf('addBalance', 'subtractBalance')}
    union all select "userId", (input ->> 'amount')::numeric from account where id = ${targetOf('writeOffDebt')}
    union all select "userId", amount from withdrawal where id = ${targetOf('markWithdrawal')}
    union all select "userId", stake from slip where id = ${targetOf('cancelSlip')}
  ) as m join player p on p.id = m."userId")`.as('moved');

/** A page of approvals, the newest first, and how many match in all; one that is asked for by its number is whole. */
export function pageApprovals(db: Db, filter: Input<typeof pageOfApprovals>) {
  const asked = where(filter, {
    ...{ id: equals, maker: same, checker: same, summary: contains },
    status: (status) => sql`${statusNow} = ${status}`,
    createTimeRange: on('createTime', within),
  });
  const whole = filter.id !== undefined;
  const content = (column: 'input' | 'before' | 'after') =>
    (whole ? sql.ref<unknown>(column) : inList(column)).as(column);
  // Whose money moves is looked up for the rows of the page, and not for those that are counted or jumped over.
  return pageOfFew(db, 'approval', asked, filter, (start) =>
    db
      .selectFrom(cut('approval', asked, start).as('approval'))
      .leftJoin(moved, (join) => join.onTrue())
      .select(['moved.userId', 'moved.username', 'moved.amount'])
      .select([
        'id',
        'createTime',
        'expireTime',
        'makerId',
        'maker',
        'makerAddress',
        'summary',
        'call',
        'targetId',
      ])
      .select(['why', 'reason', 'checker', 'checkerAddress', 'decideTime'])
      .select(['decideReason', 'release'])
      .select([statusNow.as('status'), age.as('age')])
      .select([content('input'), content('before'), content('after')])
      .select(
        sql<AccessChange[]>`coalesce(${whole ? sql.ref('access') : inList('access', [])}, '[]')`.as('access'),
      )
      .select(
        (whole ? sql<boolean>`false` : isShortened(['input', 'before', 'after', 'access'])).as('shortened'),
      )
      .orderBy(orderBy(start.sort)),
  );
}

/** What was prepared, as the change record would have it; nothing when there is no such approval. */
export const findRecorded = (db: Db, id: number) =>
  db
    .selectFrom('approval')
    .select(['call', 'input', 'before', 'after'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Deletes what was prepared longer ago than the change record goes back, and tells how many. */
export const deleteOldApprovals = (db: Db, most: number): Promise<number> =>
  deleteSome(db, most, {
    table: 'approval',
    where: sql`"createTime" < change_records_kept_since() and (status <> 'PENDING' or "expireTime" < now())`,
    order: ['id'],
  });

/** Forgets what was typed of calls that nobody released in time, and tells how many. */
export async function forgetExpired(db: Db, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update approval set sealed = null where id in (
      select id from approval where status = 'PENDING' and "expireTime" < clock_timestamp() and sealed is not null
      order by "expireTime" limit ${most} for update skip locked)`.execute(db);
  return Number(numAffectedRows);
}
