import { Table, Tag } from 'antd';
import type { ReactNode } from 'react';
import { DeleteButton } from '#console/kit/form/DeleteButton.tsx';
import { FormButton } from '#console/kit/form/FormButton.tsx';
import { columnsOf } from '#console/kit/list/columns.ts';
import { ListTable } from '#console/kit/list/ListTable.tsx';
import { linesOf } from '#console/kit/list/tree-rows.ts';
import { type AccountHistory, pageAccountHistory } from '#contract/account-history.ts';
import { deleteNews, updateNews } from '#contract/news.ts';
import type { LedgerRow, TreeRow } from './rows.ts';

type Rows = readonly (LedgerRow | TreeRow)[];

const names = [
  'account.userId',
  'account.username',
  'account.nickName',
  'originAmount',
  'amount',
  'newAmount',
  'changeType',
  'bizOrderNo',
  'desc',
  'createTime',
] as const;
const columns = columnsOf<AccountHistory>(pageAccountHistory, names);
const noOptions = {};

const actions = (row: AccountHistory) => (
  <>
    <FormButton endpoint={updateNews} fields={['title']} initial={{ id: row.id, version: 1 }}>
      编辑
    </FormButton>
    <DeleteButton endpoint={deleteNews} input={{ id: row.id }} what="记录" />
  </>
);

const allOpen = () => true;
const nothing = () => undefined;

/** The console's list, with real action buttons. */
export const Ours = ({ rows }: { rows: Rows }) => (
  <div style={{ display: 'flex', flexDirection: 'column', height: 700 }}>
    <ListTable
      label="bench"
      columns={columns}
      about={[]}
      lines={linesOf(rows as readonly AccountHistory[], allOpen, { tree: 'childrens' })}
      options={noOptions}
      rowActions={actions}
      expand={undefined}
      onToggle={nothing}
    >
      {null}
    </ListTable>
  </div>
);

const antdColumns = [
  ...columns.map((column) => ({
    title: column.label,
    dataIndex: column.key.split('.'),
    ...(column.key === 'changeType' ? { render: (code: string): ReactNode => <Tag>{code}</Tag> } : {}),
  })),
  {
    title: '操作',
    render: () => (
      <>
        <button type="button">编辑</button> <button type="button">删除</button>
      </>
    ),
  },
];

/** antd's Table as its documentation shows it, with plain buttons. */
export const AntdTable = ({ rows }: { rows: Rows }) => (
  <Table<LedgerRow | TreeRow>
    rowKey="id"
    size="small"
    columns={antdColumns}
    dataSource={rows as (LedgerRow | TreeRow)[]}
    pagination={false}
    expandable={{ childrenColumnName: 'childrens', defaultExpandAllRows: true }}
  />
);

const at = (row: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], row);

const html = (row: LedgerRow | TreeRow, depth: number): string => {
  const cells = names.map((name, place) => {
    const text = String(at(row, name));
    const shown = name === 'changeType' ? `<span class="tag tag-busy">${text}</span>` : text;
    return `<td${place === 0 ? ` style="padding-left:${depth * 16}px"` : ''}>${shown}</td>`;
  });
  const below = 'childrens' in row ? row.childrens.map((child) => html(child, depth + 1)).join('') : '';
  return `<tr>${cells.join('')}<td><button>编辑</button> <button>删除</button></td></tr>${below}`;
};

/** The floor for anything that puts all rows into the page: one string, parsed by the browser. */
export const tableHtml = (rows: Rows): string => {
  const head = columns.map((column) => `<th>${column.label}</th>`).join('');
  return `<table><thead><tr>${head}<th>操作</th></tr></thead><tbody>${rows.map((row) => html(row, 0)).join('')}</tbody></table>`;
};
