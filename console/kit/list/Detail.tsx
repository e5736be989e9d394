import type { ReactNode } from 'react';
import { Absent } from '../overlay/Absent.tsx';
import './detail.css';

interface DetailProps {
  /** What is said, each under its label; `null` or nothing is shown as absent, `false` and `undefined` are not there at all. */
  readonly parts: readonly (readonly [label: string, value: ReactNode])[];
  /** Several stand side by side where there is room. */
  readonly wide?: boolean;
}

/** What there is to say of a row or thing, label by label. */
export const Detail = ({ parts, wide = false }: DetailProps) => (
  <dl className="detail" data-wide={wide || undefined}>
    {parts
      .filter(([, value]) => value !== false && value !== undefined)
      .map(([label, value], place) => [
        // biome-ignore lint/suspicious/noArrayIndexKey: two parts may bear the same label, and none moves.
        <dt key={`${place}:`}>{label}</dt>,
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <dd key={place}>{value === null || value === '' ? <Absent /> : value}</dd>,
      ])}
  </dl>
);

/** What a column holds; numbers stand at its end, one digit below the other. */
export type Heading = string | { readonly number: string };

const titleOf = (heading: Heading): string => (typeof heading === 'string' ? heading : heading.number);

/** Which columns hold numbers, as the style sheet knows them: by their place, from 1. */
const endsOf = (headings: readonly Heading[]): string =>
  headings.flatMap((heading, place) => (typeof heading === 'string' ? [] : [place + 1])).join(' ');

interface DetailTableProps {
  readonly headings: readonly Heading[];
  /** What the table is, where nothing beside it says so. */
  readonly label?: string;
  /** Its rows. */
  readonly children: ReactNode;
}

/** A small table of what belongs to a row or stands in a dialog; a long one scrolls. */
export const DetailTable = ({ headings, label, children }: DetailTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
  <div className="detail-table" data-ends={endsOf(headings) || undefined} tabIndex={0}>
    <table aria-label={label}>
      <thead>
        <tr>
          {headings.map(titleOf).map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
