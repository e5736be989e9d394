import type { Menu } from '#contract/menus.ts';
import type { Token } from '#contract/sign-in.ts';
import { dropCache, readCache, writeCache } from './local-cache.ts';
import { carryNotice } from './notices.ts';

const TOKEN = 'token';
const MENUS = 'menus';
const OPERATOR = 'operator';

export const readToken = (): Token | null => readCache<Token>(TOKEN);
export const writeToken = (token: Token): void => writeCache(TOKEN, token);

/** The menus as last answered, so that the shell stands at once; the server's answer replaces them. */
export const readMenus = (): Menu[] | undefined => readCache<Menu[]>(MENUS) ?? undefined;
export const writeMenus = (menus: readonly Menu[]): void => writeCache(MENUS, menus);

/** The name typed at sign-in: the token does not carry one. */
export const readOperatorName = (): string => readCache<string>(OPERATOR) ?? '';
export const writeOperatorName = (name: string): void => writeCache(OPERATOR, name);

/** Forgets who was signed in and everything read for them. */
export function clearSession(): void {
  dropCache(TOKEN, MENUS, OPERATOR);
}

let leaving = false;
/** True once the page is on its way to the login page: nothing more is said then. */
export const isLeaving = (): boolean => leaving;

/** Ends the session here and replaces the page by the login page, which shows `message`. */
export function leaveForLogin(message?: string): void {
  if (leaving) return;
  leaving = true;
  clearSession();
  if (message) carryNotice(message);
  location.replace('/login');
}
