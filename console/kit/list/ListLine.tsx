import { memo, type ReactNode } from 'react';
import { valueAt } from '../form/field.ts';
import type { Option } from '../form/options.ts';
import { PlaceContext } from '../overlay/Button.tsx';
import { RowContext } from '../overlay/row-context.ts';
import { cellContent } from './Cell.tsx';
import type { Column } from './columns.ts';
import { aboutOf } from './row-about.tsx';
import type { Line } from './tree-rows.ts';
import type { Selection } from './use-selection.ts';

/** What all lines of a list share. */
export interface LineParts<R extends object> {
  readonly columns: readonly Column<R>[];
  /** What a dialog opened from a row says of it. */
  readonly about: readonly Column<R>[];
  readonly options: Readonly<Record<string, readonly Option[] | undefined>>;
  readonly rowActions: ((row: R) => ReactNode) | undefined;
  readonly expand: ((row: R) => ReactNode) | undefined;
  readonly onToggle: (key: string) => void;
  readonly selection?: Selection<R> | undefined;
}

interface ListLineProps<R extends object> {
  readonly line: Line<R>;
  readonly at: number;
  readonly parts: LineParts<R>;
  readonly measure: ((element: Element | null) => void) | undefined;
  /** Whether it is the one that is shown in full beside the list. */
  readonly current: boolean;
}

const classOf = ({ align, pinned, field }: Column<never>): string =>
  `at-${align}${pinned ? ' list-pinned' : ''}${field?.kind === 'dateTime' ? ' list-moment' : ''}${field?.endTells ? ' list-end-tells' : ''}`;

/** What is cut at its start is a run of its own, which goes the usual way. */
const run = ({ field }: Column<never>, content: ReactNode): ReactNode =>
  field?.endTells ? <bdi dir="ltr">{content}</bdi> : content;

/** What tells a row, in words; a screen may tell it by what is no field. */
const nameOf = <R extends object>(by: Column<R> | undefined, row: R): string | undefined =>
  by?.field ? `${by.label} ${valueAt(row, by.field.name)}` : undefined;

function LineOnce<R extends object>({ line, at, parts, measure, current }: ListLineProps<R>) {
  const { columns, about, options, rowActions, expand, onToggle, selection } = parts;
  const span = columns.length + (selection ? 1 : 0) + (expand ? 1 : 0) + (rowActions ? 1 : 0);
  if (line.detail) {
    return (
      <tr ref={measure} data-index={at} aria-rowindex={at + 2} className="list-detail">
        <td colSpan={span}>
          <PlaceContext value="plain">{expand?.(line.row)}</PlaceContext>
        </td>
      </tr>
    );
  }
  const name = nameOf(about[0], line.row);
  const toggle = line.hasBelow && <Toggle open={line.open} name={name} onClick={() => onToggle(line.key)} />;
  const cells = (
    <tr ref={measure} data-index={at} aria-rowindex={at + 2} aria-current={current || undefined}>
      {selection && (
        <td className="list-check">
          <input
            type="checkbox"
            aria-label={`选择第 ${line.index} 行`}
            aria-description={name}
            checked={selection.rows.has(line.key)}
            onChange={({ nativeEvent }) =>
              selection.toggle(line.key, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </td>
      )}
      {expand && <td className="at-center list-expand">{toggle}</td>}
      {columns.map((column, place) => {
        const content = cellContent(column, line.row, options[column.key]);
        return (
          <td
            key={column.key}
            className={classOf(column)}
            data-label={column.label}
            style={column.pinned ? { left: `var(--pin-${place})` } : undefined}
            title={typeof content === 'string' ? content : undefined}
          >
            {place === 0 && !expand && (line.depth > 0 || line.hasBelow) ? (
              // However deep a row lies, something of it is in sight.
              <span className="list-branch" style={{ paddingInlineStart: `min(${line.depth * 16}px, 50%)` }}>
                {toggle || <span className="list-leaf" />}
                <span>{content}</span>
              </span>
            ) : (
              run(column, content)
            )}
          </td>
        );
      })}
      {rowActions && (
        <td className="list-last">
          {/* Whoever comes to a button by Tab hears whose it is; the cell is called by its buttons alone. */}
          {/* biome-ignore lint/a11y/useSemanticElements: nothing here is filled in */}
          <span className="list-actions" role="group" aria-description={name}>
            {rowActions(line.row)}
          </span>
        </td>
      )}
    </tr>
  );
  return (
    <RowContext value={{ row: line.row, about: () => aboutOf(about, line.row, options) }}>{cells}</RowContext>
  );
}

/** One line. Scrolling draws only the lines that come into view: the others are the same as before. */
export const ListLine = memo(LineOnce) as typeof LineOnce;

interface ToggleProps {
  readonly open: boolean;
  /** The row it is of. */
  readonly name: string | undefined;
  readonly onClick: () => void;
}

function Toggle({ open, name, onClick }: ToggleProps) {
  return (
    <button
      type="button"
      className="list-toggle"
      aria-expanded={open}
      aria-label={open ? '收起' : '展开'}
      aria-description={name}
      onClick={onClick}
    >
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path
          d="M4 2.5 7.5 6 4 9.5"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinecap="round"
        />
      </svg>
    </button>
  );
}
