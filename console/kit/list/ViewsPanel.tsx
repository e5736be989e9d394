import { Link, useLocation } from 'react-router';
import { addListView, deleteListView, type ListView, startListView } from '#contract/list-preferences.ts';
import type { ScreenPath } from '#contract/screens.ts';
import { CommandButton } from '../form/CommandButton.tsx';
import { DeleteButton } from '../form/DeleteButton.tsx';
import { FormButton } from '../form/FormButton.tsx';
import { nameOfRow } from '../form/references.ts';
import { closePopup } from '../overlay/overlays.ts';
import type { Column } from './columns.ts';
import { laidOut } from './list-layout.ts';
import { usePreferences } from './use-preferences.ts';
import { datedAddress, movingAddress } from './view-dates.ts';
import './columns-panel.css';

/** The address as it is, with the columns that are shown now; the page is left out. */
function addressToKeep(search: string, shown: readonly string[] | undefined): string {
  const params = new URLSearchParams(search);
  params.delete('currentPage');
  if (shown && !params.has('columns')) params.set('columns', shown.join(','));
  return params.toString();
}

/** The list's views, to be opened, chosen as its start, or dropped; and what is shown now to be saved as one. */
export function ViewsPanel({ columns }: { readonly columns: readonly Column<never>[] }) {
  const { search } = useLocation();
  const { screen, layout, views, roles } = usePreferences();
  if (!screen) return null;
  const shown =
    layout.columns.length > 0 ? laidOut(columns, layout, undefined).map(({ key }) => key) : undefined;
  const address = addressToKeep(search, shown);
  const moving = movingAddress(address);
  const dates = moving && [
    { value: moving.address, label: `${moving.words}（随日期变化）` },
    { value: address, label: '固定为现在的日期' },
  ];
  const roleNames = roles.map((role) => ({ value: role.id, label: nameOfRow('role', role) }));
  const shared = ({ mine, roleId }: ListView): string => {
    if (!mine) return '（共享）';
    return roleId === null
      ? ''
      : `（共享给${roleNames.find(({ value }) => value === roleId)?.label ?? '角色'}）`;
  };
  return (
    <div className="views-panel">
      {views.length === 0 && <p>还没有保存的视图</p>}
      <ul aria-label="视图">
        {views.map((view) => (
          <ViewLine key={view.id} view={view} screen={screen} shared={shared(view)} />
        ))}
      </ul>
      <FormButton
        endpoint={addListView}
        fields={[
          'name',
          { field: 'roleId', options: roleNames, placeholder: '留空则只有自己可见' },
          ...(dates ? [{ field: 'address' as const, label: '日期', options: dates }] : []),
        ]}
        initial={{ screen, address: moving?.address ?? address }}
        title="保存视图"
        submit="保存"
      >
        保存当前视图
      </FormButton>
    </div>
  );
}

interface ViewLineProps {
  readonly view: ListView;
  readonly screen: ScreenPath;
  /** With whom it is shared. */
  readonly shared: string;
}

/** What names it stands beside its buttons and not around them, so that each says which view it is about. */
function ViewLine({ view: { id, name, address, start, mine }, screen, shared }: ViewLineProps) {
  const { pathname } = useLocation();
  return (
    <li>
      <Link className="views-name" to={`${pathname}?${datedAddress(address)}`} onClick={closePopup}>
        {name}
        {shared}
      </Link>
      <CommandButton
        endpoint={startListView}
        input={start ? { screen } : { screen, id }}
        label={start ? `不再默认打开“${name}”` : `默认打开“${name}”`}
      >
        <span aria-hidden="true">{start ? '★' : '☆'}</span>
      </CommandButton>
      {mine && <DeleteButton endpoint={deleteListView} input={{ id }} what={`视图“${name}”`} named />}
    </li>
  );
}
