import { useState } from 'react';
import { columnWidths, type ListLayout } from '#contract/list-preferences.ts';
import { Button } from '../overlay/Button.tsx';
import { closePopup } from '../overlay/overlays.ts';
import type { Column } from './columns.ts';
import { placedColumns } from './list-layout.ts';
import { usePreferences } from './use-preferences.ts';
import './columns-panel.css';

interface ColumnsPanelProps {
  readonly columns: readonly Column<never>[];
  readonly onLayout: () => void;
}

type Placed = ListLayout['columns'][number];

const densities = { NORMAL: '标准', TIGHT: '紧凑' } as const;

/** What can be done with the columns, each kept at once. */
function useColumns({ columns, onLayout }: ColumnsPanelProps) {
  const { layout, known, keep } = usePreferences();
  const labels = new Map(columns.map(({ key, label }) => [key, label]));
  const placed = placedColumns([...labels.keys()], layout);
  const [moved, setMoved] = useState<string>();
  const save = (change: (before: ListLayout) => Partial<ListLayout>) => {
    onLayout();
    keep((before) => ({ ...before, ...change(before) }));
  };
  const lay = (how: (placed: Placed[]) => Placed[]) =>
    save((before) => ({ columns: how(placedColumns([...labels.keys()], before)) }));
  return {
    ...{ layout, known, labels, placed, moved },
    change: (key: string, how: Partial<Placed>) =>
      lay((all) => all.map((column) => (column.key === key ? { ...column, ...how } : column))),
    move: (key: string, by: 1 | -1) => {
      setMoved(key);
      lay((all) => {
        const at = all.findIndex((column) => column.key === key);
        const [column] = all.slice(at, at + 1);
        return column ? all.toSpliced(at, 1).toSpliced(at + by, 0, column) : all;
      });
    },
    stand: (density: ListLayout['density']) => save(() => ({ density })),
    reset: () => {
      onLayout();
      keep(() => undefined);
      closePopup();
    },
  };
}

/** Which columns there are, in what order, how wide, which stay in sight, and how close the rows stand: kept at once. */
export function ColumnsPanel(props: ColumnsPanelProps) {
  const { layout, known, labels, placed, moved, ...on } = useColumns(props);
  const at = placed.findIndex(({ key }) => key === moved);
  const shown = placed.filter(({ hidden }) => !hidden).length;
  return (
    <fieldset className="columns-panel" aria-label="列" disabled={!known}>
      <ul>
        {placed.map((column, place) => (
          <ColumnLine
            key={column.key}
            label={labels.get(column.key) ?? column.key}
            column={column}
            isOnly={!column.hidden && shown === 1}
            isFirst={place === 0}
            isLast={place === placed.length - 1}
            onChange={(how) => on.change(column.key, how)}
            onMove={(by) => on.move(column.key, by)}
          />
        ))}
      </ul>
      {/* Whoever does not see the order hears where a column has come to. */}
      <span className="for-readers" role="status">
        {moved !== undefined && at >= 0 && `${labels.get(moved)}已在第 ${at + 1} 列，共 ${placed.length} 列`}
      </span>
      <div className="columns-foot">
        {(['NORMAL', 'TIGHT'] as const).map((density) => (
          <Button key={density} aria-pressed={layout.density === density} onClick={() => on.stand(density)}>
            {densities[density]}
          </Button>
        ))}
        <Button onClick={on.reset}>恢复默认</Button>
      </div>
    </fieldset>
  );
}

interface ColumnLineProps {
  readonly label: string;
  readonly column: Placed;
  /** The only one that is shown: it cannot be hidden too. */
  readonly isOnly: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onChange: (how: Partial<Placed>) => void;
  readonly onMove: (by: 1 | -1) => void;
}

function ColumnLine({ label, column, isOnly, isFirst, isLast, onChange, onMove }: ColumnLineProps) {
  const { hidden, pinned, width } = column;
  return (
    <li>
      <label className="columns-name">
        <input
          type="checkbox"
          checked={!hidden}
          disabled={isOnly}
          onChange={() => onChange({ hidden: !hidden })}
        />
        {label}
      </label>
      <input
        type="number"
        className="input"
        aria-label={`${label}的列宽`}
        placeholder="自动"
        {...columnWidths}
        defaultValue={width}
        onBlur={({ target }) => {
          const entered = widthIn(target.value);
          // What is no width is not kept, and is seen not to be.
          target.value = entered === undefined ? '' : String(entered);
          if (entered !== width) onChange({ width: entered });
        }}
      />
      <Button aria-label={`固定${label}`} aria-pressed={pinned} onClick={() => onChange({ pinned: !pinned })}>
        固定
      </Button>
      {/* Disabled, a button at the end of the way would lose the keyboard, and Escape the panel. */}
      <Button aria-label={`上移${label}`} aria-disabled={isFirst} onClick={() => isFirst || onMove(-1)}>
        ↑
      </Button>
      <Button aria-label={`下移${label}`} aria-disabled={isLast} onClick={() => isLast || onMove(1)}>
        ↓
      </Button>
    </li>
  );
}

/** A width as typed; nothing for what is none, so that the column has its own again. */
const widthIn = (typed: string): number | undefined => {
  const width = Number(typed);
  return typed.trim() !== '' &&
    Number.isInteger(width) &&
    width >= columnWidths.min &&
    width <= columnWidths.max
    ? width
    : undefined;
};
