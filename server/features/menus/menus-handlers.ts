import type { Input } from '#contract/endpoint.ts';
import type { addMenu } from '#contract/menus.ts';
import { isRoute } from '#contract/screens.ts';
import { type Context, handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { demandFullRightsRemain } from '../access/grant-rules.ts';
import * as store from './menu-store.ts';
import { treeOf, visibleMenus, withAncestors } from './menu-tree.ts';

const parentKinds = { FOLDER: ['FOLDER'], MENU: ['FOLDER'], BTN: ['MENU'] } as const;
const kindWords = { FOLDER: '目录', MENU: '目录', BTN: '菜单' } as const;

async function demandParent(
  context: Context,
  type: store.MenuRow['type'],
  parentId: number | undefined,
): Promise<void> {
  const invalid = () =>
    new Refusal('menuParentInvalid', { field: 'parentId', values: { kind: kindWords[type] } });
  if (parentId === undefined) {
    if (type === 'BTN') throw invalid();
    return;
  }
  const parent = await store.findMenu(context.db, parentId);
  if (!parent || !parentKinds[type].some((kind) => kind === parent.type)) throw invalid();
}

type Fields = Omit<Input<typeof addMenu>, 'parentId' | 'type'>;

/** What an operator typed, as stored; refused when it grants more than they hold or its path stands elsewhere. */
async function checkedFields(
  context: Context,
  { id, type }: Pick<store.MenuRow, 'id' | 'type'>,
  fields: Fields,
): Promise<store.MenuFields> {
  const { title, iconClass = null, path = null, urlExpression = null, index } = fields;
  if (type === 'MENU' && path !== null && !isRoute(path))
    throw new Refusal('menuPathInvalid', { field: 'path' });
  if (!context.operator.covers(urlExpression)) throw new Refusal('grantNotHeld', { field: 'urlExpression' });
  if (await store.isPathTaken(context.db, path, id))
    throw new Refusal('taken', { field: 'path', values: { what: '路径' } });
  return { title, iconClass, path, urlExpression, index };
}

/** Takes the place in line, and gives the menu meant when the caller holds it. */
async function target(context: Context, id: number): Promise<store.MenuRow> {
  await context.accessChanged();
  const menu = await store.findMenu(context.db, id);
  if (!menu) throw new Refusal('recordNotFound');
  if (!context.operator.menuIds.has(id)) throw new Refusal('targetOutranks');
  return menu;
}

export const menusHandlers = handlers({
  listCurrentMenus: async ({ db, operator }) =>
    treeOf(visibleMenus(await store.allMenus(db), (row) => operator.menuIds.has(row.id))),

  listMenus: async ({ db }, { title, type }) => {
    const matches = (row: store.MenuRow) =>
      (title === undefined || row.title.includes(title)) && (type === undefined || row.type === type);
    return treeOf(withAncestors(await store.allMenus(db), matches));
  },

  addMenu: async (context, { parentId, type, ...fields }) => {
    await context.accessChanged();
    await demandParent(context, type, parentId);
    const checked = await checkedFields(context, { id: 0, type }, fields);
    const id = await store.insertMenu(context.db, { ...checked, type, parentId: parentId ?? null });
    context.remark({ targetId: id, after: { id, type, ...checked } });
    return id;
  },

  updateMenu: async (context, { id, ...fields }) => {
    const before = await target(context, id);
    const after = await checkedFields(context, before, fields);
    await store.updateMenu(context.db, id, after);
    await demandFullRightsRemain(context.db);
    context.remark({ before, after });
    return id;
  },

  deleteMenu: async (context, { id }) => {
    const before = await target(context, id);
    if (await store.hasChildren(context.db, id)) throw new Refusal('menuHasChildren');
    await store.deleteMenu(context.db, id);
    await demandFullRightsRemain(context.db);
    context.remark({ before });
    return true as const;
  },
});
