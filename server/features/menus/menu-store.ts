import { sql } from 'kysely';
import type { Menu } from '#contract/menus.ts';
import type { Db } from '#server/db/database.ts';
import { added } from '#server/db/rows.ts';

/** A menu as stored: a node of the tree without its children. */
export type MenuRow = Omit<Menu, 'childrens'>;
/** The columns an operator fills in. */
export type MenuFields = Pick<MenuRow, 'title' | 'iconClass' | 'path' | 'urlExpression' | 'index'>;

/** Every menu, in the order of the side bar. */
export async function allMenus(db: Db): Promise<MenuRow[]> {
  return db.selectFrom('menu').selectAll().orderBy('index').orderBy('id').execute();
}

/**
 * Adds a menu, and binds it to every role that held all menus so far: who could do everything still can, and so can
 * hand the new menu on.
 */
export async function addMenu(
  db: Db,
  menu: MenuFields & Pick<MenuRow, 'type' | 'parentId'>,
): Promise<number> {
  const full = await sql<{ id: number }>`
    select r.id from role r where exists (select from menu) and not exists (
      select from menu m where not exists (
        select from role_menu g where g."roleId" = r.id and g."menuId" = m.id))`.execute(db);
  const { id } = await added(db, 'menu', menu);
  if (full.rows.length > 0) {
    await db
      .insertInto('role_menu')
      .values(full.rows.map((role) => ({ roleId: role.id, menuId: id })))
      .execute();
  }
  return id;
}

export async function hasChildren(db: Db, id: number): Promise<boolean> {
  return (
    (await db.selectFrom('menu').select('id').where('parentId', '=', id).executeTakeFirst()) !== undefined
  );
}
