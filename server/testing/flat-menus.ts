import type { Menu } from '#contract/menus.ts';

/** All menus of a tree, each before those below it. */
export const flatMenus = (menus: readonly Menu[]): Menu[] =>
  menus.flatMap((menu) => [menu, ...flatMenus(menu.childrens)]);
