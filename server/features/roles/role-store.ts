import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { listRoles as asked } from '#contract/roles.ts';
import { compiledOnce } from '#server/db/compiled-once.ts';
import type { Db } from '#server/db/database.ts';
import { type Condition, contains, on, where, within } from '#server/db/where.ts';

type RoleFilter = Input<typeof asked>;

const menus = sql<{ id: number }[]>`coalesce((
  select jsonb_agg(jsonb_build_object('id', g."menuId") order by g."menuId")
  from role_menu g where g."roleId" = role.id), '[]')`;

const found = compiledOnce((db, asked: Condition) =>
  db
    .selectFrom('role')
    .select(['id', 'version', 'desc', 'name', 'createDate', 'editDate', menus.as('hasMenus')])
    .where(asked)
    .orderBy('id', 'desc'),
);

const ways = { desc: contains, name: contains, createDateRange: on('createDate', within) } as const;

/** All roles, newest first, each with the menus it bundles. */
export const listRoles = async (db: Db, filter: RoleFilter) =>
  (await found(db, where(filter, ways)).execute(db)).rows;

/** Which of these ids are roles. */
export async function existingRoleIds(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('role').select('id').where('id', 'in', ids).execute();
  return rows.map((row) => row.id);
}

export async function hasOperators(db: Db, id: number): Promise<boolean> {
  return (
    (await db.selectFrom('operator_role').select('roleId').where('roleId', '=', id).executeTakeFirst()) !==
    undefined
  );
}

/** Makes these the role's menus. */
export async function replaceMenus(db: Db, roleId: number, menuIds: readonly number[]): Promise<void> {
  await db.deleteFrom('role_menu').where('roleId', '=', roleId).execute();
  if (menuIds.length === 0) return;
  await db
    .insertInto('role_menu')
    .values(menuIds.map((menuId) => ({ roleId, menuId })))
    .execute();
}
