import { releaseApproval } from '#contract/approvals.ts';
import { type AnyEndpoint, releasesOf } from '#contract/endpoint.ts';
import type { Explanation } from '#contract/explanations.ts';
import { failures } from '#contract/failures.ts';
import { listCurrentMenus } from '#contract/menus.ts';
import { buttons } from '#contract/screens.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import { blindnessOf, codeAsked, denialOf, mayWait } from '#server/access/verdict.ts';
import { Refusal } from '#server/refusal.ts';
import { areEnough, mayRelease } from '../approvals/who-releases.ts';
import type { Ground, KnownMenu, RoleName } from './ground.ts';
import { openings, type Target } from './targets.ts';

/** Of whom is asked: somebody's rights, and the roles they come by. */
export interface Subject {
  readonly operator: SignedIn;
  readonly roles: readonly RoleName[];
}

/** A path of a call that no pattern names by itself: whoever may call it may call all of them. */
const anyPathOf = ({ path }: AnyEndpoint): string => path.replace(/\{\w+\}/g, '\u0000'.repeat(99));

/** What the server would turn somebody away with: its own checks, asked. */
function refusalOf(target: Target, { operator }: Subject, menus: readonly KnownMenu[]): Refusal | undefined {
  if ('endpoint' in target) {
    const { name, endpoint } = target;
    return denialOf(name, endpoint, anyPathOf(endpoint), operator) ?? blindnessOf(endpoint, operator);
  }
  if ('right' in target) {
    const denied = denialOf('releaseApproval', releaseApproval, releaseApproval.path, operator);
    return denied ?? (mayRelease(operator, target.right) ? undefined : new Refusal('forbidden'));
  }
  const unlisted = denialOf('listCurrentMenus', listCurrentMenus, listCurrentMenus.path, operator);
  const held = menus.filter(({ id }) => operator.menuIds.has(id));
  return unlisted ?? (openings(target, held).length > 0 ? undefined : new Refusal('screenClosed'));
}

const wantsRight = ({ failure }: Refusal): boolean => failure === 'forbidden' || failure === 'screenClosed';

/** What a call that may be made can still ask for. */
function demandsOf(target: Target, { operator }: Subject, { enforced, able }: Ground): string[] {
  if (!('endpoint' in target)) return [];
  const { endpoint } = target;
  const asked = codeAsked(endpoint, operator);
  const demands: string[] = [];
  if (asked !== 'never') demands.push(`${asked === 'always' ? '' : '视内容，可能'}须输入谷歌验证码`);
  if (!mayWait(endpoint, enforced)) return demands;
  for (const { when, by } of releasesOf(endpoint)) {
    const right = buttons.find(({ code }) => code === by)?.title ?? by;
    const maybe = when === 'always' ? '' : '视内容，可能';
    demands.push(`${maybe}须由另一名有“${right}”权限的操作员放行`);
    if (!areEnough(able, by)) demands.push(failures.approversTooFew.msg);
  }
  return demands;
}

/** Whether somebody may do something, by the checks that are made when they try, and the menus it hangs on. */
export function explained(target: Target, subject: Subject, ground: Ground): Explanation {
  const { operator, roles } = subject;
  const refusal = refusalOf(target, subject, ground.menus);
  const of = openings(target, ground.menus).map(({ menu, pattern, whole }) => ({
    menu: { menuId: menu.id, menu: menu.trail, roles: [...menu.roles], pattern, whole },
    isHeld: operator.menuIds.has(menu.id),
  }));
  const isOwn = ({ id }: RoleName): boolean => roles.some((role) => role.id === id);
  const opens = of
    .filter(({ isHeld }) => isHeld)
    .map(({ menu }) => ({ ...menu, roles: menu.roles.filter(isOwn) }));
  const lacks = refusal !== undefined && wantsRight(refusal);
  const missing = of.filter(({ menu, isHeld }) => lacks && !isHeld && menu.whole).map(({ menu }) => menu);
  const isPart = lacks && 'endpoint' in target && opens.length > 0;
  return {
    ...target.told,
    verdict: refusal ? (isPart ? 'PART' : 'DENIED') : 'ALLOWED',
    refusal: refusal?.message ?? null,
    ...{ opens, missing, demands: refusal ? [] : demandsOf(target, subject, ground) },
  };
}
