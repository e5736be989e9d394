import { type RawBuilder, sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { listOperators as asked } from '#contract/operators.ts';
import { operatorOutranks } from '#server/access/grant-rules.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { changed, type Row } from '#server/db/rows.ts';
import { asking, type Condition, contains, equals, on, type Way, where, within } from '#server/db/where.ts';

/** `desc` and `name` are those of a role the operator has. */
type OperatorFilter = Input<typeof asked>;

/** What is searched of roles, one role has all of it. */
function ofRoles({ desc, name }: OperatorFilter): Condition | undefined {
  const asked = asking({ desc, name }, { desc: contains, name: contains }, 'r');
  return (
    asked &&
    sql`exists (
      select from operator_role g join role r on r.id = g."roleId" where g."operatorId" = operator.id and ${asked})`
  );
}

const hasRole: Way<number> = (id) => sql`exists (
  select from operator_role g where g."operatorId" = operator.id and g."roleId" = ${id})`;
const asItIs: Way<Condition> = (condition) => condition;
const ways = {
  ...{ userName: contains, userNo: equals, role: asItIs, roleId: hasRole },
  createDateRange: on('createDate', within),
} as const;

/** All operators as one of them sees them, newest first, each with the roles assigned. */
export async function listOperators(db: Db, filter: OperatorFilter, reader: SignedIn) {
  const roles = sql<{ id: number; desc: string; name: string }[]>`coalesce((
    select jsonb_agg(jsonb_build_object('id', r.id, 'desc', r."desc", 'name', r.name) order by r.id)
    from operator_role g join role r on r.id = g."roleId" where g."operatorId" = operator.id), '[]')`;
  const mask = sql<string>`'******'`;
  return db
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
    .select(sql<boolean>`operator.id = ${reader.id}`.as('own'))
    .select(operatorOutranks(reader, sql.ref('operator.id')).as('outranks'))
    .where(where({ ...filter, role: ofRoles(filter) }, ways))
    .orderBy('id', 'desc')
    .execute();
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

/** Nobody else gives a name until the transaction ends. */
export async function holdNames(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('operator names', 0))`.execute(db);
}

/** What a name looks like: a capital I is taken for an l, a 0 for an o, and a 1 for either an l or an i. */
const looksOf = (name: RawBuilder<unknown>, one: 'l' | 'i') =>
  sql`lower(translate(${name}, 'I01', ${sql.lit(`lo${one}`)}))`;

/** The name of another operator for which this one could be taken at a glance. */
export async function findLookAlike(db: Db, userName: string, ownId?: number): Promise<string | undefined> {
  const given = sql`${userName}::text`;
  const found = await db
    .selectFrom('operator')
    .select('userName')
    .where('id', '!=', ownId ?? 0)
    .where(
      sql<boolean>`${looksOf(sql`"userName"`, 'l')} = ${looksOf(given, 'l')} or ${looksOf(sql`"userName"`, 'i')} = ${looksOf(given, 'i')}`,
    )
    .orderBy('id')
    .executeTakeFirst();
  return found?.userName;
}

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
