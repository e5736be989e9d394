import {
  addRole,
  bindRoleMenus,
  copyRole,
  deleteRole,
  listRoles,
  type Role,
  updateRole,
} from '#contract/roles.ts';
import { DeleteButton, FormButton, MenuButton, nameOfRow } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { Button, openDialog } from '../../kit/overlay/index.ts';
import { ExplainDialog } from '../../parts/access/ExplainDialog.tsx';
import { Outranking } from '../../parts/access/Outranking.tsx';
import { Grants } from '../../parts/grants/Grants.tsx';
import { CompareDialog } from './CompareDialog.tsx';
import { TryButton } from './TryButton.tsx';

const fields = ['desc', 'name'] as const;
const menus = [{ field: 'menuIds', label: '菜单', input: Grants }] as const;

/** What is bound in place of what is seen here, and nothing else. */
function binding({ id: rid, hasMenus }: Role) {
  const seen = hasMenus.map(({ id }) => id);
  return { rid, menuIds: seen, seen };
}

const Changes = (role: Role) => (
  <>
    <FormButton endpoint={updateRole} fields={fields} initial={role}>
      编辑
    </FormButton>
    <FormButton
      endpoint={bindRoleMenus}
      fields={menus}
      initial={binding(role)}
      title={`分配菜单：${nameOfRow('role', role)}`}
    >
      分配菜单
    </FormButton>
  </>
);

const actions = (role: Role) => (
  <>
    {!role.outranks && <Changes {...role} />}
    <MenuButton label="权限">
      <Button
        onClick={() => openDialog(<ExplainDialog of="role" id={role.id} name={nameOfRow('role', role)} />)}
      >
        权限说明
      </Button>
      <Button onClick={() => openDialog(<CompareDialog role={role} />)}>对比</Button>
      {!role.outranks && (
        <FormButton
          endpoint={copyRole}
          fields={fields}
          initial={{ id: role.id }}
          title={`复制角色：${nameOfRow('role', role)}`}
        >
          复制
        </FormButton>
      )}
      <TryButton role={role} />
    </MenuButton>
    {role.outranks ? (
      <Outranking />
    ) : (
      <DeleteButton endpoint={deleteRole} input={{ id: role.id }} what={`角色“${nameOfRow('role', role)}”`} />
    )}
  </>
);

/** Roles: bundles of menus that operators are given. */
export function RoleScreen() {
  return (
    <ListScreen
      endpoint={listRoles}
      search={['desc', 'name', 'createDateRange']}
      columns={['desc', 'name', 'createDate', 'editDate']}
      toolbar={
        <FormButton endpoint={addRole} fields={fields}>
          新增
        </FormButton>
      }
      rowActions={actions}
    />
  );
}
