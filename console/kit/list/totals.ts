import type { Sums, Total } from '#contract/endpoint.ts';
import { valueAt } from '../form/field.ts';
import { sumOf } from '../form/money.ts';

const counts = ({ where }: Total, row: object): boolean => !where || valueAt(row, where[0]) === where[1];

/** What rows come to, by the totals that their list declares. */
export function totalsOf({ totals }: Sums, rows: readonly object[]): { label: string; amount: string }[] {
  return Object.values(totals).map((total) => {
    const values = rows.filter((row) => counts(total, row)).map((row) => valueAt(row, total.field));
    const amounts = values.filter((value) => typeof value === 'string');
    return { label: total.label, amount: sumOf(amounts) };
  });
}
