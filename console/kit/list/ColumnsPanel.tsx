import type { ListLayout } from '#contract/list-preferences.ts';
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
const WIDTHS = { min: 40, max: 1200 };

/** Which columns there are, in what order, how wide, which stay in sight, and how close the rows stand: kept at once. */
export function ColumnsPanel({ columns, onLayout }: ColumnsPanelProps) {
  const { layout, keep } = usePreferences();
  const labels = new Map(columns.map(({ key, label }) => [key, label]));
  const placed = placedColumns([...labels.keys()], layout);
  const save = (change: (before: ListLayout) => Partial<ListLayout>) => {
    onLayout();
    keep((before) => ({ ...before, ...change(before) }));
  };
  const lay = (how: (placed: Placed[]) => Placed[]) =>
    save((before) => ({ columns: how(placedColumns([...labels.keys()], before)) }));
  const change = (key: string, how: Partial<Placed>) =>
    lay((all) => all.map((column) => (column.key === key ? { ...column, ...how } : column)));
  const move = (key: string, by: 1 | -1) =>
    lay((all) => {
      const at = all.findIndex((column) => column.key === key);
      const [column] = all.slice(at, at + 1);
      return column ? all.toSpliced(at, 1).toSpliced(at + by, 0, column) : all;
    });
  const isLast = ({ hidden }: Placed) => !hidden && placed.filter((column) => !column.hidden).length === 1;
  const reset = () => {
    onLayout();
    keep(() => undefined);
    closePopup();
  };
  return (
    <fieldset className="columns-panel" aria-label="列">
      <ul>
        {placed.map((column, at) => {
          const { key, hidden, pinned, width } = column;
          const label = labels.get(key) ?? key;
          return (
            <li key={key}>
              <label className="columns-name">
                <input
                  type="checkbox"
                  checked={!hidden}
                  disabled={isLast(column)}
                  onChange={() => change(key, { hidden: !hidden })}
                />
                {label}
              </label>
              <input
                type="number"
                className="input"
                aria-label={`${label}的列宽`}
                placeholder="自动"
                {...WIDTHS}
                defaultValue={width}
                onBlur={({ target }) => change(key, { width: widthIn(target.value) })}
              />
              <Button
                aria-label={`固定${label}`}
                aria-pressed={pinned}
                onClick={() => change(key, { pinned: !pinned })}
              >
                固定
              </Button>
              <Button aria-label={`上移${label}`} disabled={at === 0} onClick={() => move(key, -1)}>
                ↑
              </Button>
              <Button
                aria-label={`下移${label}`}
                disabled={at === placed.length - 1}
                onClick={() => move(key, 1)}
              >
                ↓
              </Button>
            </li>
          );
        })}
      </ul>
      <div className="columns-foot">
        {(['NORMAL', 'TIGHT'] as const).map((density) => (
          <Button
            key={density}
            aria-pressed={layout.density === density}
            onClick={() => save(() => ({ density }))}
          >
            {densities[density]}
          </Button>
        ))}
        <Button onClick={reset}>恢复默认</Button>
      </div>
    </fieldset>
  );
}

/** A width as typed; nothing for what is none, so that the column has its own again. */
const widthIn = (typed: string): number | undefined => {
  const width = Number(typed);
  return typed.trim() !== '' && Number.isInteger(width) && width >= WIDTHS.min && width <= WIDTHS.max
    ? width
    : undefined;
};
