import { type ReactNode, use, useCallback, useMemo, useRef } from 'react';
import type { AnyEndpoint, Output } from '#contract/endpoint.ts';
import { type RowOf, rowsIn, totalIn } from '../form/options.ts';
import { Button } from '../overlay/Button.tsx';
import type { ListState } from './address.ts';
import { FreshRows } from './FreshRows.tsx';
import { GivenContext, isGiven } from './given.ts';
import { ListBlank } from './ListBlank.tsx';
import { ListFoot } from './ListFoot.tsx';
import { ListTable } from './ListTable.tsx';
import { ListToolbar } from './ListToolbar.tsx';
import { LazyBulkBar, LazyRowDrawer } from './lazy-parts.tsx';
import type { OtherKind } from './RowDrawer.tsx';
import { aboutOf } from './row-about.tsx';
import { SearchBar } from './SearchBar.tsx';
import { linesOf } from './tree-rows.ts';
import { useFreshRows } from './use-fresh-rows.ts';
import { useListAnswer } from './use-list-answer.ts';
import { type ListDeclaration, useListDeclaration } from './use-list-declaration.ts';
import { useListLayout } from './use-list-layout.ts';
import { useOpenLines } from './use-open-lines.ts';
import { useRowDrawer } from './use-row-drawer.ts';
import { useSelection } from './use-selection.ts';
import { useStartView } from './use-start-view.ts';

export interface ListScreenProps<E extends AnyEndpoint> extends ListDeclaration<E> {
  /** The buttons above the table. */
  readonly toolbar?: ReactNode;
  /** The buttons of a row. */
  readonly rowActions?: (row: RowOf<E>) => ReactNode;
  /** The field that holds the rows below a row. */
  readonly tree?: keyof RowOf<E> & string;
  /** What those rows are, where they are of another kind. */
  readonly below?: OtherKind;
  /** What a row opens to. */
  readonly expand?: (row: RowOf<E>) => ReactNode;
  /** What stands above the rows, made of the answer that they came with and the search it is of. */
  readonly above?: (answer: Output<E>, search: ListState['filters']) => ReactNode;
}

/**
 * A whole list screen: search, buttons, table, pager. A screen declares its columns, search fields and actions once;
 * labels, cells and inputs come from the contract. Search, page and size live in the address.
 */
export function ListScreen<E extends AnyEndpoint>(props: ListScreenProps<E>) {
  type Row = RowOf<E> & object;
  const { endpoint, toolbar, tree } = props;
  const rowActions = props.rowActions as ((row: Row) => ReactNode) | undefined;
  const expand = props.expand as ((row: Row) => ReactNode) | undefined;
  const given = use(GivenContext);
  const { columns, about, asked, sorts, options, paged } = useListDeclaration(props, given);
  useStartView();
  const list = useListAnswer(endpoint, { asked, sorts, paged, given });
  const { state, searched, input, lacking, data, error, isFetching, refetch, turn, sortBy } = list;
  const { layout, shown: all, onWidth } = useListLayout(columns, state.columns);
  const shown = useMemo(() => all.filter(({ field }) => !isGiven(field, given)), [all, given]);
  const sorting = useMemo(() => ({ sort: state.sort, sorts, onSort: sortBy }), [state.sort, sorts, sortBy]);

  const filtered = Object.keys(state.filters).length > 0;
  const sought = tree !== undefined && filtered ? JSON.stringify(state.filters) : '';
  const { isOpen, toggle, toggleAll, all: allOpen } = useOpenLines(sought);
  const expands = expand !== undefined;
  const isKnown = data !== undefined && !error;
  const rows = useMemo(() => (error ? [] : rowsIn<Row>(data)), [data, error]);
  const lines = useMemo(() => linesOf<Row>(rows, isOpen, { tree, expands }), [rows, isOpen, tree, expands]);
  const selection = useSelection(lines, searched);
  const drawer = useRowDrawer(lines);

  const body = useRef<HTMLDivElement>(null);
  const read = useCallback(() => void (lacking || refetch()), [lacking, refetch]);
  const fresh = useFreshRows({
    ...{ endpoint, input, filters: searched, rows, readAt: list.readAt, read, body },
    ...{ answer: data, isReading: isFetching, isFirstPage: state.page === 1 },
  });

  return (
    <div className="list">
      {asked.length > 0 && (
        <SearchBar
          asked={asked}
          options={options}
          filters={state.filters}
          onSearch={(filters) => list.search(filters) || void refetch()}
        />
      )}
      <div className="list-card">
        <ListToolbar
          endpoint={endpoint}
          columns={columns}
          asked={state.sort === undefined ? searched : { ...searched, sort: state.sort }}
          onLayout={list.dropColumns}
        >
          {toolbar}
          {tree !== undefined && <Button onClick={toggleAll}>{allOpen ? '全部收起' : '全部展开'}</Button>}
        </ListToolbar>
        {layout.selects && selection.rows.size > 0 && (
          <LazyBulkBar
            {...{ selection, rowActions, columns, sums: endpoint.sums }}
            aboutOf={(row) => aboutOf(about, row, options)}
          />
        )}
        {isKnown && props.above?.(data, searched)}
        <FreshRows {...fresh} onShow={() => (state.page === 1 ? read() : turn(1, state.size))} />
        <div className="list-body" ref={body}>
          <ListTable
            {...{ columns: shown, about, lines, options, rowActions, expand, sorting, onWidth }}
            label={endpoint.summary}
            density={layout.density}
            selection={layout.selects ? selection : undefined}
            onToggle={toggle}
            onOpen={drawer.open}
          >
            {lines.length === 0 && (
              <ListBlank
                waiting={list.isWaiting}
                failure={error}
                lacking={lacking}
                filtered={filtered}
                onRetry={() => void refetch()}
              />
            )}
          </ListTable>
          {drawer.row && (
            <LazyRowDrawer
              {...{ endpoint, columns, options, row: drawer.row }}
              kind={drawer.isBelow ? props.below : undefined}
              onStep={drawer.step}
              onClose={drawer.close}
            />
          )}
        </div>
        <ListFoot
          {...{ sums: lacking ? undefined : endpoint.sums, columns: shown, filters: searched }}
          rows={isKnown ? rows : undefined}
          paging={
            paged
              ? { page: state.page, size: state.size, total: data ? totalIn(data) : null, onTurn: turn }
              : undefined
          }
        />
      </div>
    </div>
  );
}
