import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Sums } from '#contract/endpoint.ts';
import { BulkContext, type RowAct } from '../form/bulk.ts';
import { Button, PlaceContext } from '../overlay/Button.tsx';
import { fetched } from '../overlay/fetched.tsx';
import { openDialog } from '../overlay/overlays.ts';
import { type About, RowContext } from '../overlay/row-context.ts';
import type { BulkDialogProps } from './BulkDialog.tsx';
import type { Column } from './columns.ts';
import { Totals } from './ListSums.tsx';
import { totalsOf } from './totals.ts';
import type { Selection } from './use-selection.ts';
import './bulk.css';

const LazyDialog = fetched(() => import('./BulkDialog.tsx').then((m) => m.BulkDialog));

export interface BulkItem {
  readonly key: string;
  readonly row: object;
  readonly input: unknown;
}

/** The same button of several rows. */
export interface BulkGroup extends Omit<RowAct, 'input'> {
  readonly items: readonly BulkItem[];
}

interface BulkBarProps<R extends object> {
  readonly selection: Selection<R>;
  readonly rowActions: ((row: R) => ReactNode) | undefined;
  /** Some of which are buttons too, such as a state that is switched by a click. */
  readonly columns: readonly Column<R>[];
  readonly aboutOf: (row: R) => About;
  readonly sums: Sums | undefined;
}

interface Gathered {
  readonly key: string;
  readonly row: object;
  readonly act: RowAct;
}

function grouped(acts: readonly Gathered[]): BulkGroup[] {
  const groups = Map.groupBy(acts, ({ act }) => `${act.endpoint.path} ${act.word}`);
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    if (!first) return [];
    const { input: _, ...act } = first.act;
    const items = [
      ...new Map(all.map(({ key, row, act }) => [key, { key, row, input: act.input }])).values(),
    ];
    return [{ ...act, items }];
  });
}

/**
 * What selected rows come to, and what can be done to all of them: what their own buttons offer, each to the rows that have it. It stands there
 * before the first is selected: rows must not move from under the mouse.
 */
export function BulkBar<R extends object>({
  selection,
  rowActions,
  columns,
  aboutOf,
  sums,
}: BulkBarProps<R>) {
  const { rows, keep } = selection;
  const [groups, setGroups] = useState<readonly BulkGroup[]>([]);
  const open = (group: BulkGroup) => {
    const onEnd = (failed: readonly string[]) => {
      const done = new Set(group.items.map(({ key }) => key).filter((key) => !failed.includes(key)));
      keep([...rows.keys()].filter((key) => !done.has(key)));
    };
    const props: BulkDialogProps = { group, aboutOf: (row) => aboutOf(row as R), sums, onEnd };
    openDialog(<LazyDialog {...props} />);
  };
  return (
    <PlaceContext value="toolbar">
      <section className="bulk-bar" aria-label="批量操作">
        <strong role="status">{`已选 ${rows.size} 行`}</strong>
        {rows.size === 0 && <span>勾选各行之后，可以一起处理</span>}
        {groups.map((group) => (
          <Button
            key={`${group.endpoint.path} ${group.word}`}
            tone={group.danger ? 'danger' : 'normal'}
            onClick={() => open(group)}
          >
            {`${group.word}（${group.items.length}）`}
          </Button>
        ))}
        {rows.size > 0 && <Button onClick={() => keep([])}>取消选择</Button>}
        {sums && rows.size > 0 && <Totals of="所选" totals={totalsOf(sums, [...rows.values()])} />}
        <Gatherer {...{ rows, rowActions, columns }} onGathered={setGroups} />
      </section>
    </PlaceContext>
  );
}

interface GathererProps<R extends object> {
  readonly rows: ReadonlyMap<string, R>;
  readonly rowActions: ((row: R) => ReactNode) | undefined;
  readonly columns: readonly Column<R>[];
  readonly onGathered: (groups: readonly BulkGroup[]) => void;
}

/** Asks the buttons of each selected row what they would do; none of them is seen. */
function Gatherer<R extends object>({ rows, rowActions, columns, onGathered }: GathererProps<R>) {
  const [acts] = useState<Gathered[]>(() => []);
  const gathering = useState(() => new Map<object, string>())[0];
  gathering.clear();
  for (const [key, row] of rows) gathering.set(row, key);
  const [gather] = useState(() => (row: object, act: RowAct) => {
    const key = gathering.get(row);
    if (key !== undefined) acts.push({ key, row, act });
  });
  // Effects of what is inside come first: by now every button has told.
  const told = useRef<ReadonlyMap<string, R> | undefined>(undefined);
  useEffect(() => {
    const groups = grouped(acts.splice(0));
    if (told.current === rows) return;
    told.current = rows;
    onGathered(groups);
  });
  return (
    <div hidden>
      <BulkContext value={gather}>
        {[...rows].map(([key, row]) => (
          <RowContext key={key} value={{ row, about: () => [] }}>
            {columns.map(({ key: name, render }) => render && <span key={name}>{render(row)}</span>)}
            {rowActions?.(row)}
          </RowContext>
        ))}
      </BulkContext>
    </div>
  );
}
