import { type RawBuilder, sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { listRoles as asked, Role } from '#contract/roles.ts';
import { roleOutranks } from '#server/access/grant-rules.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import { compiledOnce } from '#server/db/compiled-once.ts';
import type { Db } from '#server/db/database.ts';
import { writtenRows } from '#server/db/reading.ts';
import { type Condition, contains, on, where, within } from '#server/db/where.ts';
import { asMoment, type Written } from '#server/db/written.ts';

type RoleFilter = Input<typeof asked>;

/** In the words of `row_to_json`, as the rows around it. */
const menus = sql<Role['hasMenus']>`coalesce((
  select '[' || string_agg(row_to_json(m)::text, ',' order by m.id) || ']'
  from (select "menuId" as id from role_menu where "roleId" = role.id) as m), '[]')::json`;

const found = compiledOnce((db, asked: Condition, outranks: RawBuilder<boolean>) =>
  db
    .selectFrom('role')
    .select(['id', 'version', 'desc', 'name', menus.as('hasMenus')])
    .select([asMoment('createDate').as('createDate'), asMoment('editDate').as('editDate')])
    .select(outranks.as('outranks'))
    .where(asked)
    .orderBy('id', 'desc'),
);

const ways = { desc: contains, name: contains, createDateRange: on('createDate', within) } as const;

/** All roles as an operator sees them, newest first, each with the menus it bundles. */
export async function listRoles(
  db: Db,
  filter: RoleFilter,
  reader: SignedIn,
): Promise<Role[] | Written<Role[]>> {
  const roles = found(db, where(filter, ways), roleOutranks(reader, sql.ref('role.id')));
  return filter.sort === undefined ? writtenRows(db, roles) : (await roles.execute(db)).rows;
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
