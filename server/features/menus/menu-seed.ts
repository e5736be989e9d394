import { sql } from 'kysely';
import { z } from 'zod';
import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { buttons, folders, pathOfRight, releaseRights, screens } from '#contract/screens.ts';
import { bumpEpoch } from '#server/access/access-events.ts';
import type { Db } from '#server/db/database.ts';
import { changed } from '#server/db/rows.ts';
import { findSeedValue, rememberSeed } from '../seed-store.ts';
import { addMenu, type MenuFields, type MenuRow } from './menu-store.ts';

const patternOf = (endpoint: AnyEndpoint): string => endpoint.path.replace(/\{\w+\}/g, '*');

/** What a screen's own menu opens: every call it makes that no button guards. */
export function expressionOfScreen(path: string): string {
  const opened = Object.values<AnyEndpoint>(contract).filter(
    ({ access }) =>
      typeof access === 'object' && !access.button && access.screens.some((screen) => screen === path),
  );
  return opened.map(patternOf).join(',');
}

/** What a button's row opens. */
export function expressionOfButton(code: string): string {
  const opened = Object.values<AnyEndpoint>(contract).filter(
    ({ access }) => typeof access === 'object' && access.button === code,
  );
  const released = releaseRights.filter((right) => right === code).map(pathOfRight);
  return [...opened.map(patternOf), ...released].join(',');
}

/** What is remembered of a menu that was put in. */
const Seeded = z.object({ id: z.int(), expression: z.string() });

type SeededMenu = MenuFields & Pick<MenuRow, 'type' | 'parentId'>;

/**
 * Puts a menu in once. A later version's expression replaces an earlier version's, unless an operator has edited it;
 * a menu an operator deleted stays deleted. Gives the id the menu has, if it still has one.
 */
async function seedMenu(db: Db, key: string, menu: SeededMenu): Promise<number | undefined> {
  const expression = menu.urlExpression ?? '';
  const seeded = await findSeedValue(db, key);
  if (seeded === undefined) {
    const id = await addMenu(db, menu);
    await rememberSeed(db, key, JSON.stringify({ id, expression }));
    return id;
  }
  const last = Seeded.parse(JSON.parse(seeded));
  const row = await db
    .selectFrom('menu')
    .select(['id', 'urlExpression'])
    .where('id', '=', last.id)
    .executeTakeFirst();
  if (!row) return undefined;
  if (last.expression !== expression && (row.urlExpression ?? '') === last.expression) {
    await changed(db, 'menu', row, { urlExpression: menu.urlExpression, editDate: sql`now()` });
    await rememberSeed(db, key, JSON.stringify({ id: row.id, expression }));
    await bumpEpoch(db, 'everyone');
  }
  return row.id;
}

/** Every folder, screen and button of the contract, with expressions that cover exactly the calls each makes. */
export async function seedMenus(db: Db): Promise<void> {
  const folderIds = new Map<string, number | undefined>();
  for (const [index, { title, iconClass }] of folders.entries()) {
    const menu = {
      title,
      iconClass,
      type: 'FOLDER',
      path: null,
      urlExpression: null,
      index: index + 1,
      parentId: null,
    } as const;
    folderIds.set(title, await seedMenu(db, `menu:folder:${title}`, menu));
  }
  const screenIds = new Map<string, number | undefined>();
  for (const [index, { path, folder, title, iconClass }] of screens.entries()) {
    const urlExpression = expressionOfScreen(path);
    const parentId = folderIds.get(folder) ?? null;
    const menu = { title, iconClass, type: 'MENU', path, urlExpression, index: index + 1, parentId } as const;
    screenIds.set(path, await seedMenu(db, `menu:screen:${path}`, menu));
  }
  for (const [index, { code, screen, title }] of buttons.entries()) {
    const parentId = screenIds.get(screen) ?? null;
    const urlExpression = expressionOfButton(code);
    const menu = {
      title,
      iconClass: null,
      type: 'BTN',
      path: code,
      urlExpression,
      index: index + 1,
      parentId,
    } as const;
    await seedMenu(db, `menu:button:${code}`, menu);
  }
}
