import { type PointerEvent, useRef } from 'react';
import type { Column } from './columns.ts';

/** Columns of no field: to select a row, and to open it. */
export const OWN_PX = 48;

/** How a list is sorted, and by what it may be. */
export interface Sorting {
  readonly sort: string | undefined;
  readonly sorts: readonly string[];
  readonly onSort: (sort: string | undefined) => void;
}

export interface ListHeadProps {
  readonly columns: readonly Column<never>[];
  readonly widths: readonly number[];
  readonly expands: boolean;
  /** Where rows can be selected: whether all are, and how to select all or none. */
  readonly selects: { readonly all: boolean; readonly onAll: () => void } | undefined;
  readonly acts: boolean;
  readonly actionsWidth: number;
  readonly sorting: Sorting | undefined;
  readonly onWidth: ((key: string, width: number) => void) | undefined;
}

/** The columns' widths, labels, and what a label does: sort, and give its column another width. */
export function ListHead(props: ListHeadProps) {
  const { columns, widths, expands, selects, acts, actionsWidth, sorting, onWidth } = props;
  return (
    <>
      <colgroup>
        {selects && <col style={{ width: OWN_PX }} />}
        {expands && <col style={{ width: OWN_PX }} />}
        {columns.map((column, place) => (
          <col key={column.key} style={{ width: widths[place] }} />
        ))}
        {acts && <col style={{ width: actionsWidth }} />}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {selects && (
            <th scope="col" className="list-check">
              <input type="checkbox" aria-label="全选" checked={selects.all} onChange={selects.onAll} />
            </th>
          )}
          {expands && (
            <th scope="col" className="list-expand">
              <span className="for-readers">展开</span>
            </th>
          )}
          {columns.map((column, place) => (
            <HeadCell key={column.key} {...{ column, place, sorting, onWidth }} />
          ))}
          {acts && (
            <th scope="col" className="list-last">
              操作
            </th>
          )}
        </tr>
      </thead>
    </>
  );
}

interface HeadCellProps {
  readonly column: Column<never>;
  readonly place: number;
  readonly sorting: Sorting | undefined;
  readonly onWidth: ListHeadProps['onWidth'];
}

const ways = { ascending: '↑', descending: '↓', none: '' } as const;

function HeadCell({ column, place, sorting, onWidth }: HeadCellProps) {
  const { key, label, align, pinned } = column;
  const sortable = sorting?.sorts.includes(key) === true;
  const way = sorting?.sort === key ? 'ascending' : sorting?.sort === `-${key}` ? 'descending' : 'none';
  // Up, down, and back to the list's own order.
  const next = { none: key, ascending: `-${key}`, descending: undefined }[way];
  return (
    <th
      scope="col"
      className={`at-${align}${pinned ? ' list-pinned' : ''}`}
      style={pinned ? { left: `var(--pin-${place})` } : undefined}
      title={label}
      {...(sortable ? { 'aria-sort': way } : {})}
    >
      {sortable ? (
        <button type="button" className="list-sort" onClick={() => sorting.onSort(next)}>
          {label}
          <span aria-hidden="true">{ways[way]}</span>
        </button>
      ) : (
        label
      )}
      {onWidth && <Grip onWidth={(width) => onWidth(key, width)} />}
    </th>
  );
}

const LEAST = 40;

/** The end of a head, to be dragged: the column follows, and keeps the width it is let go with. By keyboard 列 sets the same. */
function Grip({ onWidth }: { readonly onWidth: (width: number) => void }) {
  const from = useRef<{ x: number; width: number } | undefined>(undefined);
  const widthAt = ({ x, width }: { x: number; width: number }, now: number): number =>
    Math.max(LEAST, Math.round(width + now - x));
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? LEAST };
  };
  const onPointerMove = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const head = currentTarget.closest('th');
    const col = head?.closest('table')?.querySelectorAll('col')[head.cellIndex];
    if (from.current && col) col.style.width = `${widthAt(from.current, clientX)}px`;
  };
  const onPointerUp = ({ clientX }: PointerEvent<HTMLElement>) => {
    const start = from.current;
    from.current = undefined;
    if (start && clientX !== start.x) onWidth(widthAt(start, clientX));
  };
  return <span aria-hidden="true" className="list-grip" {...{ onPointerDown, onPointerMove, onPointerUp }} />;
}
