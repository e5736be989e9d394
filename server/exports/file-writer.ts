import type { CellType, WriteCell } from './cells.ts';
import type { Lot, WrittenRows } from './written-rows.ts';

/** What stands around the cells of a row. */
export interface RowMarks {
  /** What stands before the cell of a column, counted from 0: these texts, and between them the number of the row. */
  readonly before: (column: number) => readonly string[];
  readonly behind: string;
}

/** Writes a file piece by piece; each piece may go out at once. */
export interface FileWriter {
  /** What comes before the rows. */
  start(): Promise<Buffer>;
  /** How it writes a cell, from where it begins to differ from others of its column and row. */
  readonly cell: WriteCell;
  readonly row: RowMarks;
  /** Takes all of these rows, and tells how many. */
  rows(rows: WrittenRows): Promise<Lot>;
  end(): Promise<Buffer>;
  /** Frees what the writer holds, also when the file was not finished. */
  close(): void;
}

/** What heads a column, and what its cells are. */
export interface Head {
  readonly label: string;
  readonly type: CellType;
}
