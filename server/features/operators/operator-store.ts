import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { containing, within } from '#server/db/search.ts';
import { foldedName } from './user-name.ts';

/** What signing in needs to know of an operator; never sent anywhere. */
export interface OperatorSecrets {
  id: number;
  userName: string;
  passwordHash: string;
  googleSecret: Buffer | null;
  googleSteps: number[];
}

const secrets = ['id', 'userName', 'passwordHash', 'googleSecret', 'googleSteps'] as const;

/** Account names are the same in upper and lower case and in any way of writing; see `foldedName`. */
export async function findOperatorByName(db: Db, userName: string): Promise<OperatorSecrets | undefined> {
  // A name of before names were held to few letters may be found by its very letters only.
  const same = sql<boolean>`lower("userName") = ${foldedName(userName)} or "userName" = ${userName}`;
  return db
    .selectFrom('operator')
    .select(secrets)
    .where(same)
    .orderBy(sql`"userName" = ${userName} desc`)
    .executeTakeFirst();
}

export async function findOperatorSecrets(db: Db, id: number): Promise<OperatorSecrets | undefined> {
  return db.selectFrom('operator').select(secrets).where('id', '=', id).executeTakeFirst();
}

/** The operators that have a Google key. */
export async function operatorIdsWithKey(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('operator').select('id').where('googleSecret', 'is not', null).execute();
  return rows.map((row) => row.id);
}

/** Remembers which one-time codes were taken. */
export async function takeStep(db: Db, id: number, googleSteps: number[]): Promise<void> {
  await db.updateTable('operator').set({ googleSteps }).where('id', '=', id).execute();
}

/** `desc` and `name` are those of a role the operator has. */
interface OperatorFilter {
  desc?: string | undefined;
  name?: string | undefined;
  userName?: string | undefined;
  userNo?: string | undefined;
  createDateRange?: [string, string] | undefined;
}

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
    .select(['id', 'userName', 'userNo', 'createDate', 'editDate', roles.as('hasRoles'), mask.as('password')])
    .select(['lock.until as lockedUntil', 'lock.address as lockedBy'])
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

/** Adds an operator; nothing when the name is taken. */
export async function insertOperator(
  db: Db,
  userName: string,
  passwordHash: string,
): Promise<number | undefined> {
  const row = await db
    .insertInto('operator')
    .values({ userName, passwordHash, googleSecret: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

type OperatorChange = Partial<{ userName: string; passwordHash: string; googleSecret: Buffer | null }>;

export async function updateOperator(db: Db, id: number, change: OperatorChange): Promise<void> {
  await db
    .updateTable('operator')
    .set({ ...change, editDate: sql`now()` })
    .where('id', '=', id)
    .execute();
}

/** Gives an operator a new password unless somebody gave them another meanwhile; tells whether it did. */
export async function replacePassword(
  db: Db,
  id: number,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('operator')
    .set({ passwordHash: to, editDate: sql`now()` })
    .where('id', '=', id)
    .where('passwordHash', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteOperator(db: Db, id: number): Promise<void> {
  await db.deleteFrom('operator').where('id', '=', id).execute();
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
