import { useState } from 'react';
import { compareRoles, Explanation, type RolesCompared } from '#contract/explanations.ts';
import { wordOf } from '#contract/fields.ts';
import { listRoles, type Role } from '#contract/roles.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { nameOfRow } from '../../kit/form/index.ts';
import { DetailTable } from '../../kit/list/index.ts';
import { Dialog } from '../../kit/overlay/index.ts';

const { kind: kindField, verdict } = Explanation.shape;

/** Those of the first alone, of the second alone, of both: what differs comes first. */
const rank = ({ first, second }: { first: unknown; second: unknown }): number => (first === second ? 1 : 0);
const word = (has: boolean): string => (has ? '有' : '—');

function Compared({ compared: { first, second, menus, targets } }: { readonly compared: RolesCompared }) {
  const [same, setSame] = useState(false);
  const [one, other] = [nameOfRow('role', first), nameOfRow('role', second)];
  const shown = <T extends { first: unknown; second: unknown }>(rows: readonly T[]): T[] =>
    rows.filter((row) => same || rank(row) === 0).toSorted((a, b) => rank(a) - rank(b));
  return (
    <>
      <label>
        <input type="checkbox" checked={same} onChange={({ target }) => setSame(target.checked)} /> 包括相同的
      </label>
      <DetailTable label="菜单对比" headings={['菜单', one, other]}>
        {shown(menus).map(({ menuId, menu, ...has }) => (
          <tr key={menuId}>
            <td>{menu}</td>
            <td>{word(has.first)}</td>
            <td>{word(has.second)}</td>
          </tr>
        ))}
      </DetailTable>
      <DetailTable label="页面与接口对比" headings={['页面与接口', one, other]}>
        {shown(targets).map(({ kind, target, place, title, ...verdicts }) => (
          <tr key={`${kind} ${target}`}>
            <td>{`${wordOf(kindField, kind)}：${place} / ${title}`}</td>
            <td>{wordOf(verdict, verdicts.first)}</td>
            <td>{wordOf(verdict, verdicts.second)}</td>
          </tr>
        ))}
      </DetailTable>
    </>
  );
}

/** A role beside another that is chosen here. */
export function CompareDialog({ role }: { readonly role: Role }) {
  const [otherId, setOtherId] = useState('');
  const { data: roles = [] } = useEndpoint(listRoles, {});
  const { data } = useEndpoint(compareRoles, { id: role.id, otherId }, { enabled: otherId !== '' });
  return (
    <Dialog title={`对比角色：${nameOfRow('role', role)}`} width={860}>
      <p>
        <label>
          对比的角色{' '}
          <select className="input" value={otherId} onChange={({ target }) => setOtherId(target.value)}>
            <option value="">请选择</option>
            {roles
              .filter(({ id }) => id !== role.id)
              .map((each) => (
                <option key={each.id} value={each.id}>
                  {nameOfRow('role', each)}
                </option>
              ))}
          </select>
        </label>
      </p>
      {data && otherId !== '' && <Compared compared={data} />}
    </Dialog>
  );
}
