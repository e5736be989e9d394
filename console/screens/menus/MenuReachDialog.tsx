import { Explanation, explainMenu, type MenuReached } from '#contract/explanations.ts';
import { wordOf } from '#contract/fields.ts';
import type { Menu } from '#contract/menus.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { nameOfRow } from '../../kit/form/index.ts';
import { Detail, DetailTable } from '../../kit/list/index.ts';
import { Dialog } from '../../kit/overlay/index.ts';

const names = (roles: MenuReached['roles']): string =>
  roles.map((role) => nameOfRow('role', role)).join('、');

/** Who reaches a menu, by which of their roles, and what it opens. */
export function MenuReachDialog({ menu }: { readonly menu: Menu }) {
  const { data } = useEndpoint(explainMenu, { id: menu.id });
  return (
    <Dialog title={`谁能访问：${nameOfRow('menu', menu)}`} width={760}>
      {data && (
        <>
          <Detail
            parts={[
              ['菜单', data.menu],
              ['角色', names(data.roles) || '没有角色拥有它'],
            ]}
          />
          <DetailTable label="操作员" headings={['操作员', '由角色']}>
            {data.operators.map(({ id: operatorId, userName, disabled, roles }) => (
              <tr key={operatorId}>
                <td>{disabled ? `${userName}（已停用）` : userName}</td>
                <td>{names(roles)}</td>
              </tr>
            ))}
          </DetailTable>
          <DetailTable label="打开" headings={['类别', '打开', '匹配表达式']}>
            {data.opens.map(({ target, kind, title: name, place, pattern, whole }) => (
              <tr key={`${kind} ${target} ${pattern}`}>
                <td>{wordOf(Explanation.shape.kind, kind)}</td>
                <td>{`${place} / ${name}`}</td>
                <td>{whole ? pattern : `${pattern}（部分路径）`}</td>
              </tr>
            ))}
          </DetailTable>
        </>
      )}
    </Dialog>
  );
}
