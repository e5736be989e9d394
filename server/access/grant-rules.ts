import { type RawBuilder, sql } from 'kysely';
import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { buttons, screens } from '#contract/screens.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { listGranted, operatorsHoldingAll } from './access-store.ts';
import { matchesTemplate, patternsOf } from './ant-pattern.ts';
import type { SignedIn } from './signed-in.ts';

/** Nobody grants what they do not hold. Throws `grantNotHeld`. */
export function demandHeld(operator: SignedIn, menuIds: readonly number[]): void {
  if (!menuIds.every((id) => operator.menuIds.has(id))) throw new Refusal('grantNotHeld');
}

/**
 * Throws `stale` when what is replaced (such as the menus of a role) is not what the caller has seen; `field` then holds what it is. A caller who
 * does not say what they saw replaces whatever there is.
 */
export function demandSeen(
  seen: readonly number[] | undefined,
  held: readonly number[],
  field: string,
): void {
  if (!seen || new Set(seen).symmetricDifference(new Set(held)).size === 0) return;
  const now = held.toSorted((one, other) => one - other);
  throw new Refusal('stale', { current: { [field]: now, seen: now } });
}

/**
 * To be called once a change of access has its place in line: from then on nobody's rights change until it ends, but the changes before it may have
 * taken some of the caller's, who was let in before. Nobody gives them back to themselves. Throws `rightsTaken` where the caller may no longer make the
 * call, or holds less than then; a menu that is gone is nothing to hold.
 */
export async function demandStillHeld(
  db: Db,
  { id, menuIds }: SignedIn,
  mayCall: (now: SignedIn) => boolean,
): Promise<void> {
  const [caller] = await listGranted(db, id);
  if (!caller || caller.disabled || !mayCall(caller.operator)) throw new Refusal('rightsTaken');
  const lost = [...menuIds].filter((menuId) => !caller.operator.menuIds.has(menuId));
  if (lost.length === 0) return;
  const there = await db.selectFrom('menu').select('id').where('id', 'in', lost).executeTakeFirst();
  if (there) throw new Refusal('rightsTaken');
}

type Id = RawBuilder<unknown>;

/** Whether the role of this id bundles more than the caller holds. */
export const roleOutranks = ({ menuIds }: SignedIn, id: Id): RawBuilder<boolean> =>
  sql<boolean>`exists (select from role_menu g where g."roleId" = ${id} and g."menuId" <> all(${[...menuIds]}::bigint[]))`;

/** Whether the operator of this id, if that is not the caller, holds more than the caller. */
export const operatorOutranks = (operator: SignedIn, id: Id): RawBuilder<boolean> =>
  sql<boolean>`(${id} <> ${operator.id} and exists (
    select from operator_role h where h."operatorId" = ${id} and ${roleOutranks(operator, sql`h."roleId"`)}))`;

async function demandRank(db: Db, outranks: RawBuilder<boolean>): Promise<void> {
  const { rows } = await sql<{ outranks: boolean }>`select ${outranks} as outranks`.execute(db);
  if (rows[0]?.outranks) throw new Refusal('targetOutranks');
}

/** Throws `targetOutranks` for an operator who holds more than the caller. */
export const demandRankOverOperator = (db: Db, operator: SignedIn, targetId: number): Promise<void> =>
  demandRank(db, operatorOutranks(operator, sql`${targetId}::bigint`));

/** Throws `targetOutranks` for a role that bundles more than the caller holds. */
export const demandRankOverRole = (db: Db, operator: SignedIn, roleId: number): Promise<void> =>
  demandRank(db, roleOutranks(operator, sql`${roleId}::bigint`));

// The rights that suffice to mend any mistake in menus, roles and operators.
const keystonePaths = [
  ...screens.map((screen) => screen.path),
  ...buttons.map((button) => button.code),
].filter((path) => path.startsWith('/main/pms/') || path.startsWith('pms:'));
const keystoneCalls = Object.values<AnyEndpoint>(contract).filter(
  ({ access }) => typeof access === 'object' && access.screens.some((path) => path.startsWith('/main/pms/')),
);

/**
 * To be called after any change of operators, roles or menus, inside its transaction: someone must still hold every
 * menu, and the menus must still open the whole administration of access. Throws `lastFullRights`.
 */
export async function demandFullRightsRemain(db: Db): Promise<void> {
  const menus = await db.selectFrom('menu').select(['path', 'urlExpression']).execute();
  const paths = new Set(menus.map((menu) => menu.path));
  const patterns = menus.flatMap((menu) => patternsOf(menu.urlExpression));
  const opens = (endpoint: AnyEndpoint) =>
    patterns.some((pattern) => matchesTemplate(pattern, endpoint.path));
  const whole = keystonePaths.every((path) => paths.has(path)) && keystoneCalls.every(opens);
  if (!whole || (await operatorsHoldingAll(db)).length === 0) throw new Refusal('lastFullRights');
}
