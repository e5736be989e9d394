import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { buttons, screens } from '#contract/screens.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { menuIdsOfOperator, menuIdsOfRoles, operatorsHoldingAll } from './access-store.ts';
import { matchesTemplate, patternsOf } from './ant-pattern.ts';
import type { SignedIn } from './signed-in.ts';

const isHeld = (operator: SignedIn, menuIds: readonly number[]): boolean =>
  menuIds.every((id) => operator.menuIds.has(id));

/** Nobody grants what they do not hold. Throws `grantNotHeld`. */
export function demandHeld(operator: SignedIn, menuIds: readonly number[]): void {
  if (!isHeld(operator, menuIds)) throw new Refusal('grantNotHeld');
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

/** Throws `targetOutranks` for an operator who holds more than the caller. */
export async function demandRankOverOperator(db: Db, operator: SignedIn, targetId: number): Promise<void> {
  if (targetId === operator.id) return;
  if (!isHeld(operator, await menuIdsOfOperator(db, targetId))) throw new Refusal('targetOutranks');
}

/** Throws `targetOutranks` for a role that bundles more than the caller holds. */
export async function demandRankOverRole(db: Db, operator: SignedIn, roleId: number): Promise<void> {
  if (!isHeld(operator, await menuIdsOfRoles(db, [roleId]))) throw new Refusal('targetOutranks');
}

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
