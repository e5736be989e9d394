import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { pathOfRight, type ReleaseRight, releaseRights } from '#contract/screens.ts';
import { matchesPath, matchesTemplate, patternsOf, touchesTemplate } from './ant-pattern.ts';

/** An operator with a live session, and what their roles' menus let them do. */
export interface SignedIn {
  readonly id: number;
  readonly userName: string;
  readonly sessionId: string;
  /** Whether somebody else gave the password: until it is changed, nothing else may be done. */
  readonly passwordTemporary: boolean;
  readonly hasGoogleKey: boolean;
  readonly menuIds: ReadonlySet<number>;
  /** Whether this call may be made; `path` is the canonical path after /api with its real values. */
  may(endpoint: AnyEndpoint, path: string): boolean;
  /** Whether everything an expression grants is granted to this operator already. */
  covers(expression: string | null): boolean;
  /** Whether they may release what others prepared. */
  releases(right: ReleaseRight): boolean;
}

interface Grants {
  id: number;
  userName: string;
  sessionId: string;
  passwordTemporary: boolean;
  hasGoogleKey: boolean;
  menus: readonly { id: number; urlExpression: string | null }[];
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

/** Works out once per session what each call needs, so that a request costs one look-up. */
export function signedIn({ menus, ...who }: Grants): SignedIn {
  const patterns = menus.flatMap((menu) => patternsOf(menu.urlExpression));
  const whole = new Set(patterns.flatMap(opens));
  return {
    ...who,
    menuIds: new Set(menus.map((menu) => menu.id)),
    may: (endpoint, path) =>
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

/** The caller of public and platform calls. */
export const nobody: SignedIn = {
  id: 0,
  userName: '',
  sessionId: '',
  passwordTemporary: false,
  hasGoogleKey: false,
  menuIds: new Set(),
  may: () => false,
  covers: () => false,
  releases: () => false,
};
