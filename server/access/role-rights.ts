import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { type GrantingMenu, type Rights, rightsOf } from './rights.ts';

/** The rights of sets of roles, worked out once for all operators who hold the same set. */
export interface RoleRights {
  /** The rights of each set; reads only roles that are not known yet. */
  ofEach(sets: readonly (readonly number[])[]): Promise<Rights[]>;
  /** Forgets these roles, or all. */
  forget(roleIds: readonly number[] | 'all'): void;
}

async function menusOfRoles(db: Db, roleIds: readonly number[]): Promise<Map<number, GrantingMenu[]>> {
  const { rows } = await sql<{ roleId: number; menus: GrantingMenu[] }>`
    select g."roleId", jsonb_agg(jsonb_build_object('id', m.id, 'urlExpression', m."urlExpression")) as menus
    from role_menu g join menu m on m.id = g."menuId" where g."roleId" = any(${roleIds}::bigint[]) group by 1`.execute(
    db,
  );
  return new Map(rows.map(({ roleId, menus }) => [roleId, menus]));
}

const MOST_SETS = 1_000;

/** Nothing is known at first. */
export function createRoleRights(db: Db): RoleRights {
  const menusOf = new Map<number, readonly GrantingMenu[]>();
  const rightsOfSets = new Map<string, Rights>();
  let forgotten = 0;

  async function learn(roleIds: readonly number[]): Promise<void> {
    const before = forgotten;
    const read = await menusOfRoles(db, roleIds);
    // What was read while something was forgotten may be older than that: it is read again.
    if (before === forgotten) for (const id of roleIds) menusOf.set(id, read.get(id) ?? []);
  }

  function rightsOfSet(roleIds: readonly number[]): Rights {
    const key = roleIds.join();
    const known = rightsOfSets.get(key);
    if (known) return known;
    const menus = roleIds.flatMap((id) => menusOf.get(id) ?? []);
    const rights = rightsOf([...new Map(menus.map((menu) => [menu.id, menu])).values()]);
    if (rightsOfSets.size >= MOST_SETS) rightsOfSets.clear();
    rightsOfSets.set(key, rights);
    return rights;
  }

  return {
    async ofEach(sets) {
      const roleIds = [...new Set(sets.flat())];
      const unknown = () => roleIds.filter((id) => !menusOf.has(id));
      for (let wanted = unknown(); wanted.length > 0; wanted = unknown()) await learn(wanted);
      return sets.map(rightsOfSet);
    },
    forget(roleIds) {
      if (roleIds !== 'all' && roleIds.length === 0) return;
      forgotten++;
      rightsOfSets.clear();
      if (roleIds === 'all') menusOf.clear();
      else for (const id of roleIds) menusOf.delete(id);
    },
  };
}
