import { randomUUID } from 'node:crypto';
import { bumpEpoch } from '#server/access/access-events.ts';
import type { Db } from '#server/db/database.ts';
import { added } from '#server/db/rows.ts';
import { replaceRoles } from '#server/features/operators/operator-store.ts';
import { replaceMenus } from '#server/features/roles/role-store.ts';
import { hashPassword } from '#server/features/sign-in/password.ts';

export const PASSWORD = 'correct horse battery';
let hash: Promise<string> | undefined;

export interface BuiltOperator {
  id: number;
  roleId: number;
  username: string;
  password: string;
}

/**
 * An operator whose one role bundles exactly the menus with these paths (routes and button codes); `PASSWORD` is the
 * password. Made in the database, so that the test's subject is not also its means.
 */
export async function buildOperator(
  db: Db,
  { grants = [] as readonly string[], username = `op-${randomUUID()}` } = {},
): Promise<BuiltOperator> {
  hash ??= hashPassword(PASSWORD);
  const { id } = await added(db, 'operator', { userName: username, passwordHash: await hash });
  const { id: roleId } = await added(db, 'role', { desc: `角色 ${username}`, name: `role-${username}` });
  const menus =
    grants.length === 0 ? [] : await db.selectFrom('menu').select('id').where('path', 'in', grants).execute();
  if (menus.length !== grants.length) throw new Error(`unknown grants among ${grants.join(', ')}`);
  await replaceMenus(
    db,
    roleId,
    menus.map((menu) => menu.id),
  );
  await replaceRoles(db, id, [roleId]);
  await bumpEpoch(db, { operatorIds: [id] });
  return { id, roleId, username, password: PASSWORD };
}

/** Every route and button code of the seed: the grants of an operator who may do everything. */
export async function allGrants(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('menu').select('path').where('path', 'is not', null).execute();
  return rows.flatMap((row) => row.path ?? []);
}
