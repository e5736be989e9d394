import type { Menu } from '#contract/menus.ts';
import { isOpenRoute, isRoute, openRoutes, opensRoute, screens } from '#contract/screens.ts';

export interface SideBarFolder {
  readonly id: number;
  readonly title: string;
  readonly iconClass: string | null;
  readonly screens: readonly { path: string; title: string; iconClass: string | null }[];
}

const flat = (menus: readonly Menu[]): Menu[] =>
  menus.flatMap((menu) => [menu, ...flat(menu.childrens ?? [])]);

/**
 * The side bar: folders with the MENU entries right under them. Everything else grants, but is not shown there, and
 * what is no route of the console becomes no link.
 */
export function sideBarOf(menus: readonly Menu[]): SideBarFolder[] {
  return flat(menus)
    .filter((menu) => menu.type === 'FOLDER')
    .map(({ id, title, iconClass, childrens }) => ({
      id,
      title,
      iconClass,
      screens: (childrens ?? []).flatMap((child) =>
        child.type === 'MENU' && child.path && isRoute(child.path)
          ? [{ path: child.path, title: child.title, iconClass: child.iconClass }]
          : [],
      ),
    }))
    .filter((folder) => folder.screens.length > 0);
}

/** The routes an operator may open: those of their MENU entries. */
export const grantedPaths = (menus: readonly Menu[]): ReadonlySet<string> =>
  new Set(flat(menus).flatMap((menu) => (menu.path && opensRoute(menu, menu.path) ? [menu.path] : [])));

/** The button codes an operator holds: the paths of their BTN entries. */
export const heldCodes = (menus: readonly Menu[]): ReadonlySet<string> =>
  new Set(flat(menus).flatMap((menu) => (menu.type === 'BTN' && menu.path ? [menu.path] : [])));

/** Whether a route may be opened: it is open to everyone or among the operator's menus. */
export const mayOpen = (menus: readonly Menu[], path: string): boolean =>
  isOpenRoute(path) || grantedPaths(menus).has(path);

/** Home > folder > menu for the breadcrumb; an open route has no folder. */
export function trailOf(menus: readonly Menu[], path: string): string[] {
  for (const folder of sideBarOf(menus)) {
    const screen = folder.screens.find((one) => one.path === path);
    // A folder named like its screen would only say the same twice.
    if (screen) return folder.title === screen.title ? [screen.title] : [folder.title, screen.title];
  }
  const open = Object.values(openRoutes).find((route) => route.path === path);
  const hidden = flat(menus).find((menu) => menu.type === 'MENU' && menu.path === path);
  const title = open?.title ?? hidden?.title;
  return title ? [title] : [];
}

const FIRST_CHOICE = '/main/user/user';
const SECOND_CHOICE = '/main/session/my-session';

const screenPaths: ReadonlySet<string> = new Set(screens.map((screen) => screen.path));

/**
 * Where an operator lands after signing in: the two usual screens in their order, else the first one of the side bar, else
 * any granted one, else the overview. A menu that leads to no screen of the console is no place to land.
 */
export function landingPath(menus: readonly Menu[]): string {
  const granted = grantedPaths(menus);
  const shown = sideBarOf(menus).flatMap((folder) => folder.screens.map((screen) => screen.path));
  const choices = [FIRST_CHOICE, SECOND_CHOICE, ...shown, ...granted];
  const found = choices.find((path) => granted.has(path) && screenPaths.has(path));
  return found ?? openRoutes.overview.path;
}
