/** All menus of a tree, each before those below it. */
export const flatMenus = <M extends { readonly childrens: M[] }>(menus: readonly M[]): M[] =>
  menus.flatMap((menu) => [menu, ...flatMenus(menu.childrens)]);
