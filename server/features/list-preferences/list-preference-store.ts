import { type SqlBool, sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import { ListLayout, type ListView, type saveListLayout } from '#contract/list-preferences.ts';
import type { Db } from '#server/db/database.ts';

type Screen = ListView['screen'];

/** The lists that an operator has in a way of their own. A layout that today's contract does not know counts as none. */
export async function findLayouts(db: Db, operatorId: number) {
  const rows = await db
    .selectFrom('list_layout')
    .select(['screen', 'layout'])
    .where('operatorId', '=', operatorId)
    .execute();
  return rows.flatMap(({ screen, layout }) => {
    const known = ListLayout.safeParse(layout);
    return known.success ? [{ screen, layout: known.data }] : [];
  });
}

/** Keeps a layout in place of the one there was; undefined forgets it. */
export async function keepLayout(
  db: Db,
  operatorId: number,
  { screen, layout }: Input<typeof saveListLayout>,
): Promise<void> {
  if (layout === undefined)
    await db
      .deleteFrom('list_layout')
      .where('operatorId', '=', operatorId)
      .where('screen', '=', screen)
      .execute();
  else
    await sql`
      insert into list_layout ("operatorId", screen, layout) values (${operatorId}, ${screen}, ${JSON.stringify(layout)}::jsonb)
      on conflict ("operatorId", screen) do update set layout = excluded.layout`.execute(db);
}

/** Whether a view is the operator's own, or for a role they have. */
const mayOpen = (operatorId: number) =>
  sql<SqlBool>`(v."operatorId" = ${operatorId} or v."roleId" in (
    select "roleId" from operator_role where "operatorId" = ${operatorId}))`;

/** The views that an operator may open, the oldest first. */
export function findViews(db: Db, operatorId: number) {
  return db
    .selectFrom('list_view as v')
    .leftJoin('list_start as s', (join) =>
      join.onRef('s.viewId', '=', 'v.id').on('s.operatorId', '=', operatorId),
    )
    .select(['v.id', 'v.screen', 'v.name', 'v.address', 'v.roleId'])
    .select([
      sql<boolean>`v."operatorId" = ${operatorId}`.as('mine'),
      sql<boolean>`s."viewId" is not null`.as('start'),
    ])
    .where(mayOpen(operatorId))
    .orderBy('v.id')
    .execute();
}

/** How many views an operator has saved. */
export async function countOwnViews(db: Db, operatorId: number): Promise<number> {
  const { n } = await db
    .selectFrom('list_view')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('operatorId', '=', operatorId)
    .executeTakeFirstOrThrow();
  return n;
}

type NewView = Pick<ListView, 'screen' | 'name' | 'address' | 'roleId'> & { readonly operatorId: number };

/** Gives an operator's view of this name another address and role, and tells what it was; nothing when there is none. */
export async function replaceView(db: Db, { operatorId, screen, name, address, roleId }: NewView) {
  const former = await db
    .selectFrom('list_view')
    .selectAll()
    .where('operatorId', '=', operatorId)
    .where('screen', '=', screen)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  // The row stays, because others may have it as their list's start.
  if (former)
    await db.updateTable('list_view').set({ address, roleId }).where('id', '=', former.id).execute();
  return former;
}

/** Makes a view the start of its screen for an operator; without one, or where they may not open it, nothing is. */
export async function keepStart(
  db: Db,
  operatorId: number,
  screen: Screen,
  viewId: number | undefined,
): Promise<boolean> {
  if (viewId === undefined) {
    await db
      .deleteFrom('list_start')
      .where('operatorId', '=', operatorId)
      .where('screen', '=', screen)
      .execute();
    return true;
  }
  // Held, so that it is not deleted before it is the start; the same may be asked from two tabs at once.
  const { numAffectedRows } = await sql`
    insert into list_start ("operatorId", screen, "viewId")
    select ${operatorId}, v.screen, v.id from list_view v
    where v.id = ${viewId} and v.screen = ${screen} and ${mayOpen(operatorId)} for key share of v
    on conflict ("operatorId", screen) do update set "viewId" = excluded."viewId"`.execute(db);
  return Number(numAffectedRows ?? 0) > 0;
}

/** The roles an operator may save a view for: those they have, or all of them for whoever looks after roles. */
export async function rolesToShareWith(db: Db, operatorId: number, all: boolean) {
  let roles = db.selectFrom('role').select(['id', 'desc']).orderBy('id');
  if (!all)
    roles = roles.where('id', 'in', (own) =>
      own.selectFrom('operator_role').select('roleId').where('operatorId', '=', operatorId),
    );
  return roles.execute();
}
