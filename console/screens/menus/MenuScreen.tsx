import { addMenu, deleteMenu, type ListedMenu, listMenus, type Menu, updateMenu } from '#contract/menus.ts';
import { DeleteButton, FormButton, IconInput, nameOfRow } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { Button, MenuIcon, openDialog } from '../../kit/overlay/index.ts';
import { Outranking } from '../../parts/access/Outranking.tsx';
import { MenuReachDialog } from './MenuReachDialog.tsx';

const shown = [
  'title',
  { field: 'iconClass', input: IconInput },
  { field: 'path', placeholder: '菜单填写路由，按钮填写权限代码' },
  { field: 'urlExpression', placeholder: '如 /pms/role/*，多个以逗号分隔' },
  'index',
] as const;
const added = [{ field: 'parentId', placeholder: '无（顶级）' }, 'type', ...shown] as const;

const Icon = ({ iconClass }: Menu) =>
  iconClass && (
    <span title={iconClass}>
      <MenuIcon name={iconClass} />
    </span>
  );

/** What hangs from a menu goes first. */
const Delete = (menu: ListedMenu) =>
  !menu.hasBelow && (
    <DeleteButton endpoint={deleteMenu} input={{ id: menu.id }} what={`“${nameOfRow('menu', menu)}”`} />
  );

const actions = (menu: ListedMenu) => (
  <>
    {!menu.outranks && (
      <FormButton endpoint={updateMenu} fields={shown} initial={menu}>
        编辑
      </FormButton>
    )}
    <Button onClick={() => openDialog(<MenuReachDialog menu={menu} />)}>谁能访问</Button>
    {menu.outranks ? <Outranking /> : <Delete {...menu} />}
  </>
);

/** Menus: folders, screens and buttons, and what each of them grants on the server. */
export function MenuScreen() {
  return (
    <ListScreen
      endpoint={listMenus}
      search={['title', 'type']}
      columns={[
        { field: 'title', width: 190 },
        'type',
        { field: 'iconClass', render: Icon, width: 64 },
        { field: 'path', width: 190 },
        'urlExpression',
        { field: 'index', width: 64 },
        'createDate',
        'editDate',
      ]}
      tree="childrens"
      toolbar={
        <FormButton endpoint={addMenu} fields={added} initial={{ type: 'MENU' }}>
          新增
        </FormButton>
      }
      rowActions={actions}
    />
  );
}
