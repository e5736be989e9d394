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
import { useFreshRows } from './use-fresh-rows.ts';
import { useListAnswer } from './use-list-answer.ts';
import { type ListDeclaration, useListDeclaration } from './use-list-declaration.ts';
import { useListLayout } from './use-list-layout.ts';
import { useListLines } from './use-list-lines.ts';
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
  /** What stands above the rows, made of the answer that they come with, before that of nothing, and of the search it is of. */
  readonly above?: (answer: Output<E> | undefined, search: ListState['filters']) => ReactNode;
}

const none: Readonly<Record<string, string>> = {};

type Row<E extends AnyEndpoint> = RowOf<E> & object;

/** A list as its declaration, its address and its operator have it, with what was read. */
function useList<E extends AnyEndpoint>(props: ListScreenProps<E>) {
  const { endpoint, tree, expand } = props;
  const given = use(GivenContext);
  const declared = useListDeclaration(props, given);
  useStartView();
  const answer = useListAnswer(endpoint, { ...declared, given });
  const { state, searched, data, error } = answer;
  const { layout, shown: all, onWidth } = useListLayout(declared.columns, state.columns);
  const shown = useMemo(() => all.filter(({ field }) => !isGiven(field, given)), [all, given]);
  const rows = useMemo(() => (error ? [] : rowsIn<Row<E>>(data)), [data, error]);
  const lined = useListLines(rows, {
    ...{ tree, expands: expand !== undefined, filters: state.filters, searched },
  });
  return {
    ...declared,
    ...answer,
    ...lined,
    layout,
    shown,
    onWidth,
    rows,
    isKnown: data !== undefined && !error,
  };
}

type List<E extends AnyEndpoint> = ReturnType<typeof useList<E>>;

/**
 * A whole list screen: search, buttons, table, pager. A screen declares its columns, search fields and actions once;
 * labels, cells and inputs come from the contract. Search, page and size live in the address.
 */
export function ListScreen<E extends AnyEndpoint>(props: ListScreenProps<E>) {
  const { endpoint, toolbar, tree } = props;
  const list = useList(props);
  const { asked, options, state, searched, columns, opening, refetch, data, isKnown } = list;
  return (
    <div className="list">
      {asked.length > 0 && (
        <SearchBar
          {...{ asked, options, filters: state.filters }}
          errors={list.error?.fieldErrors ?? none}
          onSearch={(filters) => list.search(filters) || void refetch()}
        />
      )}
      <div className="list-card">
        <ListToolbar
          {...{ endpoint, columns }}
          asked={state.sort === undefined ? searched : { ...searched, sort: state.sort }}
          onLayout={list.dropColumns}
        >
          {toolbar}
          {tree !== undefined && (
            <Button onClick={opening.toggleAll}>{opening.all ? '全部收起' : '全部展开'}</Button>
          )}
        </ListToolbar>
        <Selected {...props} list={list} />
        {(isKnown || list.isWaiting) && props.above?.(data, searched)}
        <Rows {...props} list={list} />
        <Foot {...props} list={list} />
      </div>
    </div>
  );
}

type PartProps<E extends AnyEndpoint> = ListScreenProps<E> & { readonly list: List<E> };

/** What can be done with several rows, while rows can be selected. */
function Selected<E extends AnyEndpoint>({ endpoint, rowActions, list }: PartProps<E>) {
  const { selection, columns, about, options } = list;
  if (!list.layout.selects) return null;
  return (
    <LazyBulkBar<Row<E>>
      {...{ selection, columns, rowActions, sums: endpoint.sums }}
      aboutOf={(row) => aboutOf(about, row, options)}
    />
  );
}

/** The rows as a table, or why there are none; beside them the one that is shown in full, over them how many have come since. */
function Rows<E extends AnyEndpoint>({ endpoint, rowActions, expand, below, list }: PartProps<E>) {
  const { state, lacking, refetch, turn, error, lines, options, columns, about, drawer } = list;
  const body = useRef<HTMLDivElement>(null);
  const read = useCallback(() => lacking || refetch(), [lacking, refetch]);
  const fresh = useFreshRows({
    ...{
      endpoint,
      input: list.input,
      filters: list.searched,
      rows: list.rows,
      readAt: list.readAt,
      read,
      body,
    },
    ...{ answer: list.data, isReading: list.isFetching, isFirstPage: state.page === 1 },
  });
  const sorting = useMemo(
    () => ({ sort: state.sort, sorts: list.sorts, onSort: list.sortBy }),
    [state.sort, list.sorts, list.sortBy],
  );
  return (
    <>
      <FreshRows {...fresh} onShow={() => (state.page === 1 ? read() : turn(1, state.size))} />
      <div className="list-body" ref={body}>
        <ListTable<Row<E>>
          {...{ about, lines, options, rowActions, expand, sorting }}
          {...{ columns: list.shown, onWidth: list.onWidth, density: list.layout.density }}
          label={endpoint.summary}
          selection={list.layout.selects ? list.selection : undefined}
          onToggle={list.opening.toggle}
          drawer={drawer}
          of={JSON.stringify(list.input)}
        >
          {lines.length === 0 && (
            <ListBlank
              {...{ waiting: list.isWaiting, failure: error, lacking, onRetry: () => void refetch() }}
              filtered={Object.keys(state.filters).length > 0}
            />
          )}
        </ListTable>
        {drawer.row && (
          <LazyRowDrawer
            {...{ endpoint, columns, options, row: drawer.row }}
            kind={drawer.isBelow ? below : undefined}
            onStep={drawer.step}
            onClose={drawer.close}
          />
        )}
      </div>
    </>
  );
}

/** What the list comes to, and its pages. */
function Foot<E extends AnyEndpoint>({ endpoint, list }: PartProps<E>) {
  const { lacking, shown, searched, rows, isKnown, paged, state, data, turn } = list;
  const total = data ? totalIn(data) : null;
  return (
    <ListFoot
      {...{ sums: lacking ? undefined : endpoint.sums, columns: shown, filters: searched }}
      of={JSON.stringify(list.input)}
      rows={isKnown ? rows : undefined}
      paging={paged ? { page: state.page, size: state.size, total, onTurn: turn } : undefined}
    />
  );
}
