import type { Sums, Total } from '#contract/endpoint.ts';
import { valueAt } from '../form/field.ts';
import { sumOf } from '../form/money.ts';

const counts = ({ where }: Total, row: object): boolean => !where || valueAt(row, where[0]) === where[1];

/** What rows come to, by the totals that their list declares; no amounts while the rows are not known. */
export function totalsOf(
  { totals }: Sums,
  rows: readonly object[] | undefined,
): { label: string; amount: string | undefined }[] {
  return Object.values(totals).map((total) => {
    if (!rows) return { label: total.label, amount: undefined };
    const values = rows.filter((row) => counts(total, row)).map((row) => valueAt(row, total.field));
    const amounts = values.filter((value) => typeof value === 'string');
    return { label: total.label, amount: sumOf(amounts) };
  });
}
