import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { addMenu } from '#contract/menus.ts';
import { isRoute } from '#contract/screens.ts';
import { menuIdsOfOperator } from '#server/access/access-store.ts';
import { demandFullRightsRemain } from '#server/access/grant-rules.ts';
import { changed, removed } from '#server/db/rows.ts';
import { type Context, handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
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
  const parent = (await store.allMenus(context.db)).find(({ id }) => id === parentId);
  if (!parent || !parentKinds[type].some((kind) => kind === parent.type)) throw invalid();
}

type Fields = Omit<Input<typeof addMenu>, 'parentId' | 'type'>;

/** What an operator typed, as stored; refused when it grants more than they hold. */
function checkedFields({ operator }: Context, type: store.MenuRow['type'], fields: Fields): store.MenuFields {
  const { title, iconClass = null, path = null, urlExpression = null, index } = fields;
  if (type === 'MENU' && path !== null && !isRoute(path))
    throw new Refusal('menuPathInvalid', { field: 'path' });
  if (!operator.covers(urlExpression)) throw new Refusal('grantNotHeld', { field: 'urlExpression' });
  return { title, iconClass, path, urlExpression, index };
}

/** Asks the database: a menu that was added a moment ago, on another server, is not known to be held here yet. */
async function whatOutranks({ db, operator }: Context): Promise<(id: number) => boolean> {
  const held = new Set(await menuIdsOfOperator(db, operator.id));
  // A role that is tried on narrows it.
  return (id) => !held.has(id) || (operator.trial !== null && !operator.menuIds.has(id));
}

async function demandOwn(context: Context, id: number): Promise<void> {
  if ((await whatOutranks(context))(id)) throw new Refusal('targetOutranks');
}

export const menusHandlers = handlers({
  listCurrentMenus: async ({ db, operator }) =>
    treeOf(visibleMenus(await store.allMenus(db), (row) => operator.menuIds.has(row.id))),

  listMenus: async (context, { title = '', type }) => {
    const part = title.toLowerCase();
    const matches = (row: store.MenuRow) =>
      row.title.toLowerCase().includes(part) && (type === undefined || row.type === type);
    const outranks = await whatOutranks(context);
    const all = await store.allMenus(context.db);
    const above = new Set(all.map(({ parentId }) => parentId));
    const shown = withAncestors(all, matches);
    return treeOf(shown.map((row) => ({ ...row, outranks: outranks(row.id), hasBelow: above.has(row.id) })));
  },

  // Whatever changes who may do what takes its place in line first.
  addMenu: async (context, { parentId, type, ...fields }) => {
    await context.accessChanged('everyone');
    await demandParent(context, type, parentId);
    const checked = checkedFields(context, type, fields);
    return store.addMenu(context.db, { ...checked, type, parentId: parentId ?? null });
  },

  updateMenu: async (context, { id, version, ...fields }) => {
    await context.accessChanged('everyone');
    await changed(context.db, 'menu', { id, version }, async ({ type }) => {
      await demandOwn(context, id);
      return { ...checkedFields(context, type, fields), editDate: sql`now()` };
    });
    await demandFullRightsRemain(context.db);
    return id;
  },

  deleteMenu: async (context, { id }) => {
    await context.accessChanged('everyone');
    await removed(context.db, 'menu', id, async () => {
      await demandOwn(context, id);
      if (await store.hasChildren(context.db, id)) throw new Refusal('menuHasChildren');
    });
    await demandFullRightsRemain(context.db);
    return true as const;
  },
});
