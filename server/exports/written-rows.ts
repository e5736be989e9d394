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
  take(most: number): Lot;
}

/** Writes rows of values, each by its column's cell. */
export function rowsWriter(
  cells: readonly ((value: unknown) => string)[],
  { before, between, behind }: RowMarks,
): (values: Iterable<readonly unknown[]>) => WrittenRows {
  const written = (row: readonly unknown[]) => cells.map((cell, at) => cell(row[at])).join(between);
  return (values) => {
    const left = values[Symbol.iterator]();
    return {
      take: (most) => {
        let text = '';
        let rows = 0;
        for (let next = left.next(); !next.done; next = left.next()) {
          text += before + written(next.value) + behind;
          rows++;
          if (rows >= most) break;
        }
        return { bytes: Buffer.from(text), rows };
      },
    };
  };
}
