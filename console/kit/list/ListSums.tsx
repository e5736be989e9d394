import { memo, useDeferredValue, useMemo } from 'react';
import type { Sums } from '#contract/endpoint.ts';
import { useEndpoint } from '../call/use-endpoint.ts';
import { valueAt } from '../form/field.ts';
import { Money } from './Money.tsx';
import { totalsOf } from './totals.ts';
import './list-sums.css';

interface TotalsProps {
  readonly of: string;
  /** An amount that is not known (yet) is none. */
  readonly totals: readonly { readonly label: string; readonly amount: string | undefined }[];
}

/** What some rows come to, told by whose they are. */
export const Totals = ({ of, totals }: TotalsProps) => (
  // biome-ignore lint/a11y/useSemanticElements: nothing here is filled in
  <div className="list-totals" role="group" aria-label={`${of}合计`}>
    <strong>{of}合计</strong>
    <dl>
      {totals.map(({ label, amount }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{amount === undefined ? '—' : <Money value={amount} />}</dd>
        </div>
      ))}
    </dl>
  </div>
);

interface ListSumsProps {
  readonly sums: Sums;
  /** Nothing while they are not known. */
  readonly rows: readonly object[] | undefined;
  readonly filters: object;
}

/** Thousands of amounts take longer to be added up than their rows to be drawn: the rows come first. */
const PageTotals = memo(function PageTotals({ sums, rows }: Pick<ListSumsProps, 'sums' | 'rows'>) {
  return <Totals of="本页" totals={useMemo(() => totalsOf(sums, rows), [sums, rows])} />;
});

/** What the page comes to, and what all that the search finds does: exactly, to the last place. */
export function ListSums({ sums, rows, filters }: ListSumsProps) {
  // What is refused of the search, the list tells at its field.
  const { data } = useEndpoint(sums.call, filters, { loading: false, fields: Object.keys(filters) });
  const whole = Object.entries(sums.totals).map(([name, { label }]) => ({
    label,
    amount: String(valueAt(data ?? {}, name) ?? ''),
  }));
  return (
    <div className="list-sums">
      <PageTotals sums={sums} rows={useDeferredValue(rows)} />
      {data !== undefined && <Totals of="全部" totals={whole} />}
    </div>
  );
}
