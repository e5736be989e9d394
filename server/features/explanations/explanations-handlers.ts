import type { RolesCompared } from '#contract/explanations.ts';
import { listGranted } from '#server/access/access-store.ts';
import { signedIn } from '#server/access/signed-in.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { barriersOf } from '../sign-in/sign-in.ts';
import { explained, type Subject } from './explain.ts';
import { findRole, type Ground, groundOf, type RoleName, rolesOfOperators } from './ground.ts';
import { openings, targets } from './targets.ts';

/** What is asked about: one target, or all. Throws `absent`. */
const askedFor = (wanted: string | undefined) => {
  const found = wanted === undefined ? targets : targets.filter(({ told }) => told.target === wanted);
  if (found.length === 0) throw new Refusal('absent', { field: 'target', values: { what: '对象' } });
  return found;
};

/** Whoever has this role and no other. */
const holderOf = (role: RoleName, { menus }: Ground): Subject => ({
  operator: signedIn({
    ...{ id: 0, userName: role.desc, sessionId: '', passwordTemporary: false, hasGoogleKey: false },
    menus: menus.filter(({ roles }) => roles.some(({ id }) => id === role.id)),
  }),
  roles: [role],
});

/** What either opens, with what each of them says of it; what is open to everybody tells no role from another. */
function differences(first: Subject, second: Subject, ground: Ground): RolesCompared['targets'] {
  return targets.flatMap((target) => {
    if ('endpoint' in target && target.endpoint.access === 'signed-in') return [];
    const [one, other] = [first, second].map((subject) => explained(target, subject, ground).verdict);
    if (!one || !other || (one === 'DENIED' && other === 'DENIED')) return [];
    return [{ ...target.told, first: one, second: other }];
  });
}

export const explanationsHandlers = handlers({
  explainOperator: async (context, { id, target }) => {
    const { db } = context;
    const asked = askedFor(target);
    const operator = (await listGranted(db)).find((granted) => granted.operator.id === id)?.operator;
    if (!operator) throw new Refusal('recordNotFound');
    const roles = (await rolesOfOperators(db)).get(id) ?? [];
    const ground = await groundOf(db);
    const barred = (await barriersOf(context, operator.userName)).map(({ message }) => message);
    const told = asked.map((each) => explained(each, { operator, roles }, ground));
    return { name: operator.userName, barred, roles, targets: told };
  },

  explainRole: async ({ db }, { id, target }) => {
    const asked = askedFor(target);
    const role = await findRole(db, id);
    const ground = await groundOf(db);
    const holder = holderOf(role, ground);
    const told = asked.map((each) => explained(each, holder, ground));
    return { name: role.desc, barred: [], roles: [role], targets: told };
  },

  explainMenu: async ({ db }, { id }) => {
    const menu = (await groundOf(db)).menus.find((each) => each.id === id);
    if (!menu) throw new Refusal('recordNotFound');
    const rolesOf = await rolesOfOperators(db);
    const bundles = ({ id: roleId }: RoleName) => menu.roles.some((role) => role.id === roleId);
    const reaching = (await listGranted(db)).filter(({ operator }) => operator.menuIds.has(id));
    return {
      ...{ menu: menu.trail, roles: [...menu.roles] },
      operators: reaching.map(({ operator: { id: operatorId, userName }, disabled }) => ({
        ...{ id: operatorId, userName, disabled },
        roles: (rolesOf.get(operatorId) ?? []).filter(bundles),
      })),
      opens: targets.flatMap((target) =>
        openings(target, [menu]).map(({ pattern, whole }) => ({ ...target.told, pattern, whole })),
      ),
    };
  },

  compareRoles: async ({ db }, { id, otherId }) => {
    const first = await findRole(db, id);
    const second = await findRole(db, otherId, 'otherId');
    const ground = await groundOf(db);
    const menus = ground.menus.flatMap(({ id: menuId, trail, roles }) => {
      const has = (role: RoleName) => roles.some((each) => each.id === role.id);
      const held = { first: has(first), second: has(second) };
      return held.first || held.second ? [{ menuId, menu: trail, ...held }] : [];
    });
    const compared = differences(holderOf(first, ground), holderOf(second, ground), ground);
    return { first, second, menus, targets: compared };
  },
});
