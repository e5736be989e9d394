import { sql } from 'kysely';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';
import { operatorsAbleToSignIn } from '../approvals/who-releases.ts';
import { allMenus, type MenuRow } from '../menus/menu-store.ts';

/** A role by its name. */
export interface RoleName {
  readonly id: number;
  readonly desc: string;
}

/** A menu with its titles from the top, and the roles that bundle it. */
export interface KnownMenu extends MenuRow {
  readonly trail: string;
  readonly roles: readonly RoleName[];
}

/** What explanations stand on. */
export interface Ground {
  readonly menus: readonly KnownMenu[];
  /** Whether calls wait for a second operator, and who could be one. */
  readonly enforced: boolean;
  readonly able: readonly SignedIn[];
}

const grantsOfMenus = async (db: Db): Promise<Map<number, RoleName[]>> => {
  const rows = await db
    .selectFrom('role_menu as g')
    .innerJoin('role as r', 'r.id', 'g.roleId')
    .select(['g.menuId', 'r.id', 'r.desc'])
    .orderBy('r.id')
    .execute();
  const roles = new Map<number, RoleName[]>();
  for (const { menuId, ...role } of rows) roles.set(menuId, [...(roles.get(menuId) ?? []), role]);
  return roles;
};

/** The titles above a menu and its own; a folder named like its screen is left out. */
function trailOf(menu: MenuRow, byId: ReadonlyMap<number, MenuRow>): string {
  const parent = menu.parentId === null ? undefined : byId.get(menu.parentId);
  if (!parent) return menu.title;
  const above = trailOf(parent, byId);
  return parent.title === menu.title ? above : `${above} / ${menu.title}`;
}

/** Everything at this moment. */
export async function groundOf(db: Db): Promise<Ground> {
  const rows = await allMenus(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const roles = await grantsOfMenus(db);
  const menus = rows.map((row) => ({ ...row, trail: trailOf(row, byId), roles: roles.get(row.id) ?? [] }));
  const enforced = await readParam(db, 'approval.enabled');
  return { menus, enforced, able: enforced ? await operatorsAbleToSignIn(db) : [] };
}

/** A role by its id. Throws `recordNotFound` at the field that named it. */
export async function findRole(db: Db, id: number, field = 'id'): Promise<RoleName> {
  const role = await db.selectFrom('role').select(['id', 'desc']).where('id', '=', id).executeTakeFirst();
  if (!role) throw new Refusal('recordNotFound', { field });
  return role;
}

/** The roles of every operator. */
export async function rolesOfOperators(db: Db): Promise<Map<number, RoleName[]>> {
  const { rows } = await sql<{ operatorId: number; roles: RoleName[] }>`
    select g."operatorId", jsonb_agg(jsonb_build_object('id', r.id, 'desc', r."desc") order by r.id) as roles
    from operator_role g join role r on r.id = g."roleId" group by g."operatorId"`.execute(db);
  return new Map(rows.map(({ operatorId, roles }) => [operatorId, roles]));
}
