import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { PlaceContext } from './Button.tsx';
import { type Column, MIN_WIDTH, TEXT_WIDTH } from './columns.ts';
import { type LineParts, ListLine } from './ListLine.tsx';
import type { Option } from './options.ts';
import type { Line } from './tree-rows.ts';
import './list.css';

/** Up to this many lines all stand in the page, where the browser's own search finds them; more are windowed. */
const WINDOW_FROM = 60;
const LINE_PX = 38;
const TOGGLE_PX = 48;

interface ListTableProps<R extends object> {
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly about: readonly Column<R>[];
  readonly lines: readonly Line<R>[];
  readonly options: Readonly<Record<string, readonly Option[] | undefined>>;
  readonly rowActions: ((row: R) => ReactNode) | undefined;
  readonly expand: ((row: R) => ReactNode) | undefined;
  readonly onToggle: (key: string) => void;
  /** What stands in place of rows: loading, empty, failed. */
  readonly children: ReactNode;
}

/** The action column is as wide as its widest row on screen; it only ever grows, so that nothing jumps. */
function useActionsWidth(box: { readonly current: HTMLElement | null }, lines: unknown): number {
  const [width, setWidth] = useState(72);
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured anew whenever other lines are shown
  useLayoutEffect(() => {
    const cells = box.current?.querySelectorAll<HTMLElement>('.list-actions') ?? [];
    const widest = Math.max(0, ...[...cells].map((cell) => cell.offsetWidth));
    setWidth((before) => Math.max(before, widest + 20));
  }, [lines, box]);
  return width;
}

/**
 * A real `<table>` that keeps only the lines near the window: a thousand rows paint as fast as twenty. It scrolls in
 * its own box, its head and action column stay in place.
 */
export function ListTable<R extends object>(props: ListTableProps<R>) {
  const { label, columns, about, lines, options, rowActions, expand, onToggle, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const windowed = lines.length > WINDOW_FROM;
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 12,
    initialRect: { width: 0, height: 720 },
    enabled: windowed,
    useFlushSync: false,
  });
  const actionsWidth = useActionsWidth(box, lines);
  const parts: LineParts<R> = useMemo(
    () => ({ columns, about, options, rowActions, expand, onToggle }),
    [columns, about, options, rowActions, expand, onToggle],
  );
  const items = windowed ? virtual.getVirtualItems() : [];
  const shown = windowed ? items.map((item) => item.index) : lines.map((_, index) => index);
  const above = items[0]?.start ?? 0;
  const below = windowed ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) : 0;
  const width = columns.reduce((sum, column) => sum + (column.width ?? TEXT_WIDTH), 0);
  const fixed = (expand ? TOGGLE_PX : 0) + (rowActions ? actionsWidth : 0);

  return (
    // A box that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section ref={box} className="list-box" aria-label={label} tabIndex={0}>
      <table className="list-table" style={{ minWidth: width + fixed }} aria-rowcount={lines.length + 1}>
        <ListHead
          {...{ columns, actionsWidth }}
          expands={expand !== undefined}
          acts={rowActions !== undefined}
        />
        <PlaceContext value="row">
          <tbody>
            {above > 0 && <Spacer height={above} />}
            {shown.map((index) => {
              const line = lines[index];
              const measure = windowed ? virtual.measureElement : undefined;
              return (
                line && <ListLine key={line.key} line={line} at={index} parts={parts} measure={measure} />
              );
            })}
            {below > 0 && <Spacer height={below} />}
          </tbody>
        </PlaceContext>
      </table>
      {children}
    </section>
  );
}

interface ListHeadProps {
  readonly columns: readonly Column<never>[];
  readonly expands: boolean;
  readonly acts: boolean;
  readonly actionsWidth: number;
}

function ListHead({ columns, expands, acts, actionsWidth }: ListHeadProps) {
  // One column alone must not take all the room of a wide screen: then every column grows a little.
  const sharesRoom = columns.filter((column) => column.width === undefined).length > 1;
  return (
    <>
      <colgroup>
        {expands && <col style={{ width: TOGGLE_PX }} />}
        {columns.map((column) => (
          <col
            key={column.key}
            style={
              column.width === undefined
                ? { width: sharesRoom ? undefined : TEXT_WIDTH, minWidth: MIN_WIDTH }
                : { width: column.width }
            }
          />
        ))}
        {acts && <col style={{ width: actionsWidth }} />}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {expands && (
            <th scope="col">
              <span className="for-readers">展开</span>
            </th>
          )}
          {columns.map((column) => (
            <th key={column.key} scope="col" className={`at-${column.align}`}>
              {column.label}
            </th>
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

/** Stands for the lines that are not in the page. */
const Spacer = ({ height }: { height: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a plain table takes no focus
  <tr aria-hidden="true" className="list-spacer">
    <td style={{ height }} />
  </tr>
);
