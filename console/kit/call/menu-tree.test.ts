import { describe, expect, test } from 'vitest';
import type { Menu } from '#contract/menus.ts';
import { grantedPaths, heldCodes, landingPath, mayOpen, sideBarOf, trailOf } from './menu-tree.ts';

let nextId = 0;
const menu = (type: Menu['type'], title: string, path: string | null, childrens: Menu[] = []): Menu => {
  nextId += 1;
  const moment = '2026-01-01 00:00:00';
  return {
    ...{ id: nextId, type, title, path, iconClass: null, urlExpression: null, index: 0, parentId: null },
    ...{ version: 1, createDate: moment, editDate: moment, childrens },
  };
};

const menus = [
  menu('FOLDER', '权限管理', null, [
    menu('MENU', '角色管理', '/main/pms/role', [menu('BTN', '新增角色', 'pms:role:add')]),
    menu('BTN', '游离按钮', 'pms:menu:add'),
  ]),
  menu('FOLDER', '空目录', null),
  menu('MENU', '无目录的菜单', '/main/news/news'),
];

describe('an operator’s menus', () => {
  test('the side bar shows only MENU entries under folders, and no empty folder', () => {
    expect(sideBarOf(menus).map((folder) => [folder.title, folder.screens.map((one) => one.title)])).toEqual([
      ['权限管理', ['角色管理']],
    ]);
  });

  test('a path that is no route of the console becomes no link', () => {
    const hostile = [
      'javascript:alert(1)',
      '//x.invalid/',
      '/\\x.invalid',
      'data:text/html,x',
      'javascript:a:b',
      ' /x',
      '/\t/x.invalid',
    ];
    const shown = sideBarOf([
      menu(
        'FOLDER',
        '目录',
        null,
        [...hostile, '/main/x'].map((path) => menu('MENU', path, path)),
      ),
    ]);
    expect(shown.flatMap((folder) => folder.screens.map((one) => one.path))).toEqual(['/main/x']);
  });

  test('every MENU opens its route, wherever it hangs; nothing else does', () => {
    expect([...grantedPaths(menus)]).toEqual(['/main/pms/role', '/main/news/news']);
    expect(mayOpen(menus, '/main/other/safe')).toBe(true);
    expect(mayOpen(menus, '/main/pms/menu')).toBe(false);
    expect(mayOpen(menus, 'pms:role:add')).toBe(false);
  });

  test('button codes are the paths of BTN entries at any depth', () => {
    expect([...heldCodes(menus)]).toEqual(['pms:role:add', 'pms:menu:add']);
  });

  test('the breadcrumb names folder and menu, and an open route by its own title', () => {
    expect(trailOf(menus, '/main/pms/role')).toEqual(['权限管理', '角色管理']);
    expect(trailOf(menus, '/main/other/safe')).toEqual(['安全中心']);
    const users = menu('FOLDER', '用户管理', null, [menu('MENU', '用户管理', '/main/user/user')]);
    expect(trailOf([users], '/main/user/user')).toEqual(['用户管理']);
    expect(trailOf(menus, '/main/nowhere')).toEqual([]);
  });

  test('landing goes to the users’ screen where it is granted, else to the sessions', () => {
    const sessions = menu('MENU', '我的会话', '/main/session/my-session');
    expect(landingPath([...menus, sessions])).toBe('/main/session/my-session');
    expect(landingPath([sessions, menu('MENU', '用户管理', '/main/user/user')])).toBe('/main/user/user');
  });

  test('without those it goes to the first screen of the side bar, then to any granted one', () => {
    expect(landingPath([menu('MENU', '新闻', '/main/news/news'), ...menus])).toBe('/main/pms/role');
    expect(landingPath([menu('MENU', '新闻', '/main/news/news')])).toBe('/main/news/news');
  });

  test('an operator without menus, or with menus that lead to no screen, lands on the overview', () => {
    expect(landingPath([])).toBe('/main/analysis/bashboard');
    const strange = [
      menu('FOLDER', '外链', null, [menu('MENU', '旧页面', '/main/old')]),
      menu('BTN', '按钮', '/main/pms/role'),
    ];
    expect(landingPath(strange)).toBe('/main/analysis/bashboard');
  });
});
