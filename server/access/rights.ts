import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { pathOfRight, type ReleaseRight, releaseRights } from '#contract/screens.ts';
import { matchesPath, matchesTemplate, patternsOf, touchesTemplate } from './ant-pattern.ts';

/** A menu, as far as it grants calls. */
export interface GrantingMenu {
  readonly id: number;
  readonly urlExpression: string | null;
}

/** The rights of whoever holds some menus. */
export interface Rights {
  readonly menuIds: ReadonlySet<number>;
  /** Whether this call may be made; `path` is the canonical path after /api with its real values, where it has any. */
  may(endpoint: AnyEndpoint, path?: string): boolean;
  /** Whether these rights include all that an expression grants. */
  covers(expression: string | null): boolean;
  /** Whether a right to release is held. */
  releases(right: ReleaseRight): boolean;
}

const guarded: readonly string[] = [
  ...Object.values<AnyEndpoint>(contract).flatMap(({ access, path }) =>
    typeof access === 'object' ? [path] : [],
  ),
  ...releaseRights.map(pathOfRight),
];

const MOST_PATTERNS = 2_000;
const openedBy = new Map<string, readonly string[]>();

/**
 * What a pattern opens whole. It is kept, since operators share the patterns of their menus: working it out anew for each of two hundred
 * who come to another server in one moment would take that server seconds.
 */
function opens(pattern: string): readonly string[] {
  const known = openedBy.get(pattern);
  if (known) return known;
  const opened = guarded.filter((path) => matchesTemplate(pattern, path));
  if (openedBy.size >= MOST_PATTERNS) openedBy.clear();
  openedBy.set(pattern, opened);
  return opened;
}

/** Works out once what each call needs, so that a request costs one look-up. */
export function rightsOf(menus: readonly GrantingMenu[]): Rights {
  const patterns = menus.flatMap((menu) => patternsOf(menu.urlExpression));
  const whole = new Set(patterns.flatMap(opens));
  return {
    menuIds: new Set(menus.map((menu) => menu.id)),
    may: (endpoint, path = endpoint.path) =>
      endpoint.access === 'signed-in' ||
      (typeof endpoint.access === 'object' && whole.has(endpoint.path)) ||
      (typeof endpoint.access === 'object' && patterns.some((pattern) => matchesPath(pattern, path))),
    covers: (expression) =>
      patternsOf(expression).every(
        (wanted) =>
          patterns.includes(wanted) ||
          guarded.every((path) => whole.has(path) || !touchesTemplate(wanted, path)),
      ),
    releases: (right) => whole.has(pathOfRight(right)),
  };
}

/** The rights that both have. */
export const sharedRights = (one: Rights, other: Rights): Rights => ({
  menuIds: one.menuIds.intersection(other.menuIds),
  may: (endpoint, path) => one.may(endpoint, path) && other.may(endpoint, path),
  covers: (expression) => one.covers(expression) && other.covers(expression),
  releases: (right) => one.releases(right) && other.releases(right),
});

/** A pattern of a menu that opens a call, or some of its paths only, such as those of one id. */
export interface Opening<M> {
  readonly menu: M;
  readonly pattern: string;
  readonly whole: boolean;
}

/** What of these menus opens what is called at a template of paths. */
export const openingsOf = <M extends GrantingMenu>(menus: readonly M[], template: string): Opening<M>[] =>
  menus.flatMap((menu) =>
    patternsOf(menu.urlExpression).flatMap((pattern) => {
      const whole = matchesTemplate(pattern, template);
      return whole || touchesTemplate(pattern, template) ? [{ menu, pattern, whole }] : [];
    }),
  );
