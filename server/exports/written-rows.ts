import type { RowMarks } from './file-writer.ts';

/** Some rows as they stand in a file. */
export interface Lot {
  /** They stand while the next are taken, and no longer. */
  readonly bytes: Buffer;
  /** How many there are; none when all have been taken. */
  readonly rows: number;
}

/** Rows of a list, written as they are taken. */
export interface WrittenRows {
  /** So many at most; `first` is the number of the first of them. */
  take(most: number, first: number): Lot;
}

/** Writes rows of values, each by its column's cell. */
export function rowsWriter(
  cells: readonly ((value: unknown) => string)[],
  { before, behind }: RowMarks,
): (values: Iterable<readonly unknown[]>) => WrittenRows {
  const leads = cells.map((_, at) => before(at));
  const written = (row: readonly unknown[], number: string) =>
    cells.map((cell, at) => (leads[at] ?? []).join(number) + cell(row[at])).join('');
  return (values) => {
    const left = values[Symbol.iterator]();
    return {
      take: (most, first) => {
        let text = '';
        let rows = 0;
        for (let next = left.next(); !next.done; next = left.next()) {
          text += written(next.value, String(first + rows)) + behind;
          rows++;
          if (rows >= most) break;
        }
        return { bytes: Buffer.from(text), rows };
      },
    };
  };
}
