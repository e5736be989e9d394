import type { Menu } from '#contract/menus.ts';
import type { Token } from '#contract/sign-in.ts';
import { dropCache, isKept, readCache, writeCache } from './local-cache.ts';
import { carryNotice } from './notices.ts';
import { queryClient } from './query-client.ts';

const TOKEN = 'token';
/** The menus as they were last told. */
export const MENUS = 'menus';
/** How the operator has the lists; see kit/list/use-preferences.ts. */
export const PREFERENCES = 'preferences';

/** Who is signed in, in all windows: the tokens with the account's name. */
export interface Session extends Token {
  readonly operator?: string;
}

const stored = (): Session | null => readCache<Session>(TOKEN);
const nameOf = (session: Session | null): string => session?.operator?.toLowerCase() ?? '';

/** The session this window was loaded with or signed in to. Another window may have left it, or begun another, since. */
let own = stored();

/** Goes on in `session` here, and in all other windows; false where it lasts no longer than the page. */
export function writeSession(session: Session): boolean {
  own = session;
  return writeCache(TOKEN, session);
}

/**
 * The session this window is in. The same operator who signed in again beside is followed unnoticed; somebody else's
 * session gives nothing, since what stands on screen is not theirs.
 */
export function readSession(): Session | null {
  const now = stored();
  if (now && now.jti !== own?.jti && nameOf(now) === nameOf(own)) own = now;
  return now?.jti === own?.jti ? now : null;
}

/** Whether anybody is signed in, in whatever window. */
export const hasSession = (): boolean => stored() !== null;

/** Whether somebody else has signed in beside since this window was loaded. */
export const isReplaced = (): boolean => hasSession() && readSession() === null;

export const readOperatorName = (): string => own?.operator ?? '';

interface KnownMenus {
  readonly jti: string;
  readonly menus: Menu[];
}

/** The menus as last answered in this session, so that the shell stands at once; the server's answer replaces them. */
export function readMenus(): Menu[] | undefined {
  const known = readCache<KnownMenus>(MENUS);
  return known && known.jti === readSession()?.jti ? known.menus : undefined;
}

export function writeMenus(menus: readonly Menu[]): void {
  const session = readSession();
  if (session) writeCache(MENUS, { jti: session.jti, menus });
}

const RIGHTS = 'rights-changed';

/** Loads this window and the others of the session anew: what may be seen has changed with all menus. */
export function reloadAnew(): void {
  dropCache(MENUS);
  writeCache(RIGHTS, Date.now());
  leaveFor('/main');
  if (isOfPage()) void queryClient.resetQueries();
}

const LOGIN = '/login';

/** Whether the session lasts no longer than the page, which must not be loaded anew then. */
const isOfPage = (): boolean => hasSession() && !isKept(TOKEN);

let leaving = false;
/** True once the page is on its way to another: nothing more is said then. */
export const isLeaving = (): boolean => leaving;

function leaveFor(path: string): void {
  if (leaving) return;
  if (path === LOGIN || !isOfPage()) {
    leaving = true;
    location.replace(path);
  } else if (location.pathname !== path) {
    history.replaceState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }
}

/** Loads the console anew for whoever signed in beside, where they would land. */
export const followReplacement = (): void => leaveFor('/main');

/**
 * Ends the session here and replaces the page by the login page, which shows `message`. Somebody else's session, begun
 * beside, is not ended by what happened to this one.
 */
export function leaveForLogin(message?: string): void {
  if (leaving) return;
  if (isReplaced()) {
    followReplacement();
    return;
  }
  dropCache(TOKEN, MENUS, PREFERENCES);
  if (message) carryNotice(message);
  leaveFor(LOGIN);
}

/** Where somebody must change a password that somebody else gave them before anything else. */
export const leaveForPasswordChange = (): void => leaveFor('/change-password');

const isInside = (): boolean => location.pathname.startsWith('/main');

/** What all windows were led out of by one, all are led into by one. A session that is only renewed leads nobody away from a login page. */
function followSignIn({ key, oldValue }: StorageEvent): void {
  if (key === TOKEN && oldValue === null && location.pathname === LOGIN && hasSession()) followReplacement();
}

/** Follows what other windows do with the session, also while this page was put aside by the browser. */
export function watchSession(): void {
  const look = () => {
    if (!isInside() || leaving) return;
    if (isReplaced()) followReplacement();
    else if (!hasSession()) leaveForLogin('已在其他窗口退出登录');
  };
  window.addEventListener('storage', ({ key }) => (key === TOKEN || key === null) && look());
  window.addEventListener('storage', followSignIn);
  window.addEventListener('storage', ({ key }) => key === RIGHTS && isInside() && leaveFor('/main'));
  window.addEventListener('pageshow', ({ persisted }) => persisted && look());
}
