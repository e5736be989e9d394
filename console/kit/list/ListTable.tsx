import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Option } from '../form/options.ts';
import { PlaceContext } from '../overlay/Button.tsx';
import { CellHover } from './CellHover.tsx';
import type { Column } from './columns.ts';
import { fittedWidths, neededWidths, wideEnough } from './fit-columns.ts';
import { ListHead, type ListHeadProps, OWN_PX } from './ListHead.tsx';
import { type LineParts, ListLine } from './ListLine.tsx';
import type { Line } from './tree-rows.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useLineWindow } from './use-line-window.ts';
import { useRoom } from './use-room.ts';
import { useRowClick } from './use-row-click.ts';
import type { Selection } from './use-selection.ts';
import './list.css';
import './table.css';
import './phone.css';

const LINE_PX = { NORMAL: 38, TIGHT: 30 } as const;

/** Where pinned columns stand, each behind those before it, and what is the list's own before them. */
function pinsOf(columns: readonly Column<never>[], widths: readonly number[], before: number): CSSProperties {
  const pins: Record<string, string> = { '--own': `${OWN_PX}px` };
  let left = before;
  for (const [place, { pinned }] of columns.entries()) {
    if (pinned) pins[`--pin-${place}`] = `${left}px`;
    left += widths[place] ?? 0;
  }
  return pins;
}

interface ListTableProps<R extends object> {
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly about: readonly Column<R>[];
  readonly lines: readonly Line<R>[];
  readonly options: Readonly<Record<string, readonly Option[] | undefined>>;
  readonly rowActions: ((row: R) => ReactNode) | undefined;
  readonly expand: ((row: R) => ReactNode) | undefined;
  readonly onToggle: (key: string) => void;
  readonly density?: keyof typeof LINE_PX;
  readonly sorting?: ListHeadProps['sorting'];
  readonly onWidth?: ListHeadProps['onWidth'];
  /** Which rows are selected, where they can be. */
  readonly selection?: Selection<R> | undefined;
  /** Shows in full beside the list a row that is clicked where no button is, and by Enter the one that was last. */
  readonly drawer?: Drawer;
  /** What the lines are of: others begin at their top. */
  readonly of?: string;
  /** What stands in place of rows: loading, empty, failed. */
  readonly children: ReactNode;
}

interface Drawer {
  /** The line that is shown in full. */
  readonly line: Line<object> | undefined;
  readonly open: (at: number) => void;
  readonly openLast: () => void;
}

/** The action column is as wide as its widest row on screen; it only ever grows, so that nothing jumps. */
function useActionsWidth(box: RefObject<HTMLElement | null>, lines: unknown): number {
  const [width, setWidth] = useState(72);
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured anew whenever other lines are shown
  useLayoutEffect(() => {
    const cells = box.current?.querySelectorAll<HTMLElement>('.list-actions') ?? [];
    const widest = Math.max(0, ...[...cells].map((cell) => cell.offsetWidth));
    setWidth((before) => Math.max(before, widest + 20));
  }, [lines, box]);
  return width;
}

/** Another page, order or search begins at its top, and not as far down as the one before was scrolled. */
function useOwnTop(box: RefObject<HTMLElement | null>, of: string | undefined): void {
  const before = useRef(of);
  useLayoutEffect(() => {
    if (before.current === of || !box.current) return;
    before.current = of;
    box.current.scrollTop = 0;
    // On a phone the screen scrolls, and not the list in it.
    if (box.current.getBoundingClientRect().top < 0) box.current.scrollIntoView();
  }, [box, of]);
}

/** The line that is shown in full beside the list is in sight. */
function useInSight(box: RefObject<HTMLElement | null>, key: string | undefined): void {
  useEffect(() => {
    if (key !== undefined)
      box.current?.querySelector('tr[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [box, key]);
}

/** How wide each column is in this much room, and all of them together. */
function useWidths<R extends object>(
  { columns, lines, options, expand }: Pick<ListTableProps<R>, 'columns' | 'lines' | 'options' | 'expand'>,
  room: number,
) {
  const sized = useMemo(() => wideEnough(columns, lines), [columns, lines]);
  const branches = !expand;
  const needed = useMemo(
    () => neededWidths(sized, lines, options, branches),
    [sized, lines, options, branches],
  );
  const fitted = useMemo(() => fittedWidths(sized, room, needed), [sized, room, needed]);
  const width = fitted.widths.reduce((sum, each) => sum + each, 0);
  return { ...fitted, width };
}

/**
 * A real `<table>` that keeps only the lines near the window: a thousand rows paint as fast as twenty. It scrolls in
 * its own box, its head and action column stay in place.
 */
export function ListTable<R extends object>(props: ListTableProps<R>) {
  const { label, columns, about, lines, options, rowActions, expand, onToggle, selection, children } = props;
  const { density = 'NORMAL', drawer } = props;
  const box = useRef<HTMLDivElement>(null);
  const { shown, above, below, measure } = useLineWindow(box, lines, LINE_PX[density]);
  const actionsWidth = useActionsWidth(box, lines);
  const parts: LineParts<R> = useMemo(
    () => ({ columns, about, options, rowActions, expand, onToggle, selection }),
    [columns, about, options, rowActions, expand, onToggle, selection],
  );
  const before = (selection ? OWN_PX : 0) + (expand ? OWN_PX : 0);
  const fixed = before + (rowActions ? actionsWidth : 0);
  const pins = columns.some(({ pinned }) => pinned);
  const { widths, width, crowded } = useWidths({ columns, lines, options, expand }, useRoom(box) - fixed);

  useOwnTop(box, props.of);
  useInSight(box, drawer?.line?.key);
  useKeptFocus(box, lines);
  const onClick = useRowClick(drawer?.open);
  const onKeyDown = ({ key, target }: KeyboardEvent<HTMLElement>) => {
    if (key === 'Enter' && target === box.current && lines.length > 0) drawer?.openLast();
  };

  return (
    <section
      ref={box}
      className="list-box"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <table
        className={`list-table list-${density}${crowded ? ' list-crowded' : ''}${pins ? ' list-pins' : ''}`}
        style={{ minWidth: width + fixed, ...pinsOf(columns, widths, before) }}
        aria-rowcount={lines.length + 1}
      >
        <ListHead
          {...{ columns, widths, actionsWidth }}
          expands={expand !== undefined}
          acts={rowActions !== undefined}
          selects={selection && { all: selection.all, onAll: selection.toggleAll }}
          sorting={props.sorting}
          onWidth={props.onWidth}
        />
        <PlaceContext value="row">
          <tbody>
            {above > 0 && <Spacer height={above} />}
            {shown.map((index) => {
              const line = lines[index];
              return (
                line && (
                  <ListLine
                    key={line.key}
                    {...{ line, at: index, parts, measure }}
                    current={line.key === drawer?.line?.key}
                  />
                )
              );
            })}
            {below > 0 && <Spacer height={below} />}
          </tbody>
        </PlaceContext>
      </table>
      <CellHover box={box} />
      {children}
    </section>
  );
}

/** Stands for the lines that are not in the page. */
const Spacer = ({ height }: { height: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a plain table takes no focus
  <tr aria-hidden="true" className="list-spacer">
    <td style={{ height }} />
  </tr>
);
