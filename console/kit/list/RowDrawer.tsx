import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'react-router';
import { rowLinks } from '#contract/drill-downs.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { nounEntries } from '#contract/nouns.ts';
import type { NounName } from '#contract/ref.ts';
import { valueAt } from '../form/field.ts';
import { type Option, useOptions } from '../form/options.ts';
import { naming } from '../form/references.ts';
import { Button, PlaceContext } from '../overlay/Button.tsx';
import { ScreenLink } from '../overlay/ScreenLink.tsx';
import { cellContent } from './Cell.tsx';
import type { Column } from './columns.ts';
import { RowHistory } from './RowHistory.tsx';
import { rowFields } from './row-fields.ts';
import './row-drawer.css';

/** What rows are that stand in a list of others: their noun, and a call of theirs, under whose heading their changes are recorded. */
export interface OtherKind {
  readonly noun: NounName;
  readonly call: AnyEndpoint;
}

export interface RowDrawerProps<R extends object> {
  readonly endpoint: AnyEndpoint;
  /** What the row is, where it is not what the list is of. */
  readonly kind?: OtherKind | undefined;
  readonly columns: readonly Column<R>[];
  readonly options: Readonly<Record<string, readonly Option[] | undefined>>;
  readonly row: R;
  /** Goes to the row above (-1) or below (1), if there is one. */
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
}

const idOf = (row: object): number | undefined =>
  'id' in row && typeof row.id === 'number' ? row.id : undefined;

/** What a row is known by in the change record. */
function targetOf(row: object, { knownBy = 'id' }: AnyEndpoint): string | undefined {
  const value = valueAt(row, knownBy);
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
}

/** Everything of a row beside its list: its fields, the lists that refer to it, and what was done to it. Arrows lead to its neighbours. */
export function RowDrawer<R extends object>({
  endpoint,
  kind,
  columns,
  options,
  row,
  onStep,
  onClose,
}: RowDrawerProps<R>) {
  const { pathname } = useLocation();
  const frame = useRef<HTMLElement>(null);
  const fields = useMemo(() => rowFields(endpoint, columns), [endpoint, columns]);
  const wanted = useMemo(() => {
    const namesOf = ({ field, options: own }: Column<R>) => own ?? (field ? naming(field, row) : undefined);
    return Object.fromEntries(
      fields.filter(({ key }) => options[key] === undefined).map((each) => [each.key, namesOf(each)]),
    );
  }, [fields, options, row]);
  const more = useOptions(wanted);
  useEffect(() => frame.current?.focus({ preventScroll: true }), []);

  const noun = kind?.noun ?? nounEntries.find(([, { screen }]) => screen === pathname)?.[0];
  const id = idOf(row);
  const target = targetOf(row, endpoint);
  const close = () => {
    // The keys go on where the row stands.
    frame.current?.parentElement?.querySelector<HTMLElement>('.list-box')?.focus({ preventScroll: true });
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === 'Escape') close();
    else if (step === 1 || step === -1) onStep(step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <aside ref={frame} className="row-drawer" aria-label="行详情" tabIndex={-1} onKeyDown={onKeyDown}>
      <PlaceContext value="plain">
        <header>
          <strong role="status">{id === undefined ? '详情' : `编号 ${id}`}</strong>
          <Button aria-label="上一行" onClick={() => onStep(-1)}>
            ↑
          </Button>
          <Button aria-label="下一行" onClick={() => onStep(1)}>
            ↓
          </Button>
          <Button aria-label="关闭详情" onClick={close}>
            ✕
          </Button>
        </header>
        <dl className="row-fields">
          {fields.map((column) => {
            const content = cellContent(column, row, options[column.key] ?? more[column.key]);
            return (
              content !== null && (
                <div key={column.key}>
                  <dt>{column.label}</dt>
                  <dd>{content}</dd>
                </div>
              )
            );
          })}
        </dl>
        {noun && id !== undefined && (
          <nav className="row-links" aria-label="相关列表">
            {rowLinks(noun, row).map(({ title, screen, search }) => (
              <ScreenLink key={screen} to={screen} search={search}>
                {title}
              </ScreenLink>
            ))}
          </nav>
        )}
        {target !== undefined && <RowHistory endpoint={kind?.call ?? endpoint} id={target} />}
      </PlaceContext>
    </aside>
  );
}
