import { moneyParts } from '../form/money.ts';
import './money.css';

/** Money with its thousands set apart for the eye only: what is copied, or looked for in the page, is the plain number. */
export function Money({ value, sign = '' }: { readonly value: string; readonly sign?: string }) {
  const parts = moneyParts(value);
  const [first, ...others] = parts.groups;
  return (
    <span className="money">
      {sign + parts.sign + first}
      {others.map((group, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one number have no other name
        <span key={place}>{group}</span>
      ))}
      {parts.fraction}
    </span>
  );
}
