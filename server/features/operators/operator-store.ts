import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { listOperators as asked } from '#contract/operators.ts';
import type { Db } from '#server/db/database.ts';
import { changed, type Row } from '#server/db/rows.ts';
import { containing, within } from '#server/db/search.ts';

/** `desc` and `name` are those of a role the operator has. */
type OperatorFilter = Input<typeof asked>;

/** All operators, newest first, each with the roles assigned. */
export async function listOperators(db: Db, filter: OperatorFilter) {
  const roles = sql<{ id: number; desc: string; name: string }[]>`coalesce((
    select jsonb_agg(jsonb_build_object('id', r.id, 'desc', r."desc", 'name', r.name) order by r.id)
    from operator_role g join role r on r.id = g."roleId" where g."operatorId" = operator.id), '[]')`;
  const mask = sql<string>`'******'`;
  let query = db
    .selectFrom('operator')
    .leftJoin(
      sql<{ subject: string; until: string; address: string | null }>`(
        select subject, "blockedUntil" as until, address from sign_in_failure
        where kind = 'account' and "blockedUntil" > clock_timestamp())`.as('lock'),
      (join) => join.on(sql<boolean>`lock.subject = lower(normalize(operator."userName", nfkc))`),
    )
    .select([
      'id',
      'version',
      'userName',
      'userNo',
      'createDate',
      'editDate',
      roles.as('hasRoles'),
      mask.as('password'),
    ])
    .select(['lock.until as lockedUntil', 'lock.address as lockedBy'])
    .select(['disabled', 'passwordTemporary', 'lastLoginTime', 'lastLoginAddress'])
    .select(sql<boolean>`"googleSecret" is not null`.as('hasGoogleKey'))
    .orderBy('id', 'desc');
  if (filter.userName) query = query.where('userName', 'ilike', containing(filter.userName));
  if (filter.userNo) query = query.where('userNo', '=', filter.userNo);
  const { desc, name } = filter;
  if (desc || name) {
    query = query.where(({ exists, selectFrom }) => {
      let roles = selectFrom('operator_role as g')
        .innerJoin('role as r', 'r.id', 'g.roleId')
        .select('r.id')
        .whereRef('g.operatorId', '=', 'operator.id');
      if (desc) roles = roles.where('r.desc', 'ilike', containing(desc));
      if (name) roles = roles.where('r.name', 'ilike', containing(name));
      return exists(roles);
    });
  }
  if (filter.createDateRange) query = query.where(within('createDate', filter.createDateRange));
  return query.execute();
}

type OperatorChange = Partial<
  Pick<Row<'operator'>, 'userName' | 'passwordHash' | 'passwordTemporary' | 'disabled'>
>;

/** Changes an operator; see `changed`. Secrets are no matter of its version. */
export const changeOperator = (
  db: Db,
  target: { id: number; version?: number | undefined },
  change: (before: Row<'operator'>) => OperatorChange | Promise<OperatorChange>,
): Promise<Row<'operator'>> =>
  changed(db, 'operator', target, async (before) => ({ ...(await change(before)), editDate: sql`now()` }));

export async function findOperator(db: Db, id: number) {
  return db
    .selectFrom('operator')
    .select(['id', 'userName', 'userNo'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function roleIdsOf(db: Db, operatorId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('operator_role')
    .select('roleId')
    .where('operatorId', '=', operatorId)
    .orderBy('roleId')
    .execute();
  return rows.map((row) => row.roleId);
}

/** Makes these the operator's roles. */
export async function replaceRoles(db: Db, operatorId: number, roleIds: readonly number[]): Promise<void> {
  await db.deleteFrom('operator_role').where('operatorId', '=', operatorId).execute();
  if (roleIds.length === 0) return;
  await db
    .insertInto('operator_role')
    .values(roleIds.map((roleId) => ({ operatorId, roleId })))
    .execute();
}
