import { type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { AnyEndpoint, Output, WireInput } from '#contract/endpoint.ts';
import { readAhead, useEndpoint } from '../call/use-endpoint.ts';
import { shapeOf } from '../form/field.ts';
import { type AskedField, askedFields, type FieldName, type FieldSpec } from '../form/field-spec.ts';
import { type Options, type RowOf, rowsIn, totalIn, useOptions } from '../form/options.ts';
import { Button } from '../overlay/Button.tsx';
import { type ListState, lacksEnd } from './address.ts';
import { type Column, type ColumnSpec, columnsOf } from './columns.ts';
import { FreshRows } from './FreshRows.tsx';
import { GivenContext, isGiven } from './given.ts';
import { ListBlank } from './ListBlank.tsx';
import { ListFoot } from './ListFoot.tsx';
import { ListTable } from './ListTable.tsx';
import { ListToolbar } from './ListToolbar.tsx';
import { LazyBulkBar, LazyRowDrawer } from './lazy-parts.tsx';
import { aboutOf, tellingColumns } from './row-about.tsx';
import { SearchBar } from './SearchBar.tsx';
import { sortsOf } from './sorts.ts';
import { linesOf } from './tree-rows.ts';
import { useFreshRows } from './use-fresh-rows.ts';
import { useListAddress } from './use-list-address.ts';
import { useListLayout } from './use-list-layout.ts';
import { useOpenLines } from './use-open-lines.ts';
import { useRowDrawer } from './use-row-drawer.ts';
import { useSelection } from './use-selection.ts';
import { useStartView } from './use-start-view.ts';

export interface ListScreenProps<E extends AnyEndpoint> {
  /** A `page` call (with a pager) or a `list` call (without). Its contract names and shapes everything below. */
  readonly endpoint: E;
  readonly columns: readonly ColumnSpec<RowOf<E>>[];
  readonly search?: readonly FieldSpec<FieldName<E>>[];
  /** The buttons above the table. */
  readonly toolbar?: ReactNode;
  /** The buttons of a row. */
  readonly rowActions?: (row: RowOf<E>) => ReactNode;
  /** What the dialogs of a row say of it; the first few columns unless told otherwise. */
  readonly about?: readonly ColumnSpec<RowOf<E>>[];
  /** The field that holds the rows below a row. */
  readonly tree?: keyof RowOf<E> & string;
  /** What a row opens to. */
  readonly expand?: (row: RowOf<E>) => ReactNode;
  /** What stands above the rows, made of the answer that they came with and the search it is of. */
  readonly above?: (answer: Output<E>, search: ListState['filters']) => ReactNode;
}

type Wanted = readonly [name: string, options: Options | undefined];

/** The choices that columns and search fields draw on, by the field's name. */
const wantedOptions = (columns: readonly Column<never>[], asked: readonly AskedField[]) =>
  Object.fromEntries([
    ...asked.map(({ field, optionsFor }): Wanted => [field.name, optionsFor?.({})]),
    ...columns.filter(({ options }) => options).map(({ key, options }): Wanted => [key, options]),
  ]);

/**
 * A whole list screen: search, buttons, table, pager. A screen declares its columns, search fields and actions once;
 * labels, cells and inputs come from the contract. Search, page and size live in the address.
 */
export function ListScreen<E extends AnyEndpoint>(props: ListScreenProps<E>) {
  type Row = RowOf<E> & object;
  const { endpoint, toolbar, tree } = props;
  const rowActions = props.rowActions as ((row: Row) => ReactNode) | undefined;
  const expand = props.expand as ((row: Row) => ReactNode) | undefined;
  // A declaration never changes while its screen is open, though its literals are new at each render.
  const [columns] = useState(() => columnsOf<Row>(endpoint, props.columns as readonly ColumnSpec<Row>[]));
  const [about] = useState(() =>
    props.about
      ? columnsOf<Row>(endpoint, props.about as readonly ColumnSpec<Row>[])
      : tellingColumns(columns),
  );
  const given = use(GivenContext);
  const [asked] = useState(() =>
    askedFields(endpoint, props.search ?? []).filter(({ field }) => !(field.name in given.search)),
  );
  const options = useOptions(useMemo(() => wantedOptions(columns, asked), [columns, asked]));

  const paged = 'pageSize' in shapeOf(endpoint.input);
  useStartView();
  const [sorts] = useState(() => sortsOf(endpoint));
  const asking = useCallback(
    ({ filters, sort, page, size }: ListState) =>
      ({
        ...{ ...given.search, ...filters },
        ...(sort === undefined ? {} : { sort }),
        ...(paged ? { currentPage: page, pageSize: size } : {}),
      }) as WireInput<E>,
    [given, paged],
  );
  const lacks = useCallback(
    ({ filters }: ListState) => asked.some(({ field }) => lacksEnd(field, filters)),
    [asked],
  );
  const ahead = useCallback(
    (to: ListState) => (lacks(to) ? undefined : readAhead(endpoint, asking(to))),
    [endpoint, asking, lacks],
  );
  const { state, search, turn, sortBy, dropColumns } = useListAddress(asked, sorts, ahead);
  const { layout, shown: all, onWidth } = useListLayout(columns, state.columns);
  const shown = useMemo(() => all.filter(({ field }) => !isGiven(field, given)), [all, given]);
  const searched = { ...given.search, ...state.filters };
  const wanted = state.sort === undefined ? searched : { ...searched, sort: state.sort };
  const input = asking(state);
  const lacking = lacks(state);
  const answer = useEndpoint(endpoint, input, { enabled: !lacking });
  const { error, isFetching, isPlaceholderData, refetch, dataUpdatedAt: readAt } = answer;
  const data = lacking ? undefined : answer.data;

  const filtered = Object.keys(state.filters).length > 0;
  const { isOpen, toggle, toggleAll, all: allOpen } = useOpenLines(tree !== undefined && filtered);
  const expands = expand !== undefined;
  const isKnown = data !== undefined && !error;
  const rows = useMemo(() => (error ? [] : rowsIn<Row>(data)), [data, error]);
  const lines = useMemo(() => linesOf<Row>(rows, isOpen, { tree, expands }), [rows, isOpen, tree, expands]);
  const body = useRef<HTMLDivElement>(null);
  const read = useCallback(() => void (lacking || refetch()), [lacking, refetch]);
  const fresh = useFreshRows({
    ...{ endpoint, input, filters: searched, rows, readAt, read, body },
    ...{ answer: data, isReading: isFetching, isFirstPage: state.page === 1 },
  });
  const selection = useSelection(lines, searched);
  const drawer = useRowDrawer(lines);
  const sorting = useMemo(() => ({ sort: state.sort, sorts, onSort: sortBy }), [state.sort, sorts, sortBy]);

  // The last row of the last page was deleted, or a link names a page there is no more.
  const lastPage = Math.max(1, Math.ceil(totalIn(data) / state.size));
  const isBeyond = paged && data !== undefined && !isPlaceholderData && state.page > lastPage;
  useEffect(() => {
    if (isBeyond) turn(lastPage, state.size, { replace: true });
  }, [isBeyond, lastPage, state.size, turn]);

  return (
    <div className="list">
      {asked.length > 0 && (
        <SearchBar
          asked={asked}
          options={options}
          filters={state.filters}
          onSearch={(filters) => search(filters) || void refetch()}
        />
      )}
      <div className="list-card">
        <ListToolbar endpoint={endpoint} columns={columns} asked={wanted} onLayout={dropColumns}>
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
                waiting={isFetching && (data === undefined || isPlaceholderData)}
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
