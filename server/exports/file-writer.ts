import type { CellType, WriteCell } from './cells.ts';
import type { Lot, WrittenRows } from './written-rows.ts';

/** What stands before, between and behind the cells of a row. */
export interface RowMarks {
  readonly before: string;
  readonly between: string;
  readonly behind: string;
}

/** Writes a file piece by piece; each piece may go out at once. */
export interface FileWriter {
  /** What comes before the rows. */
  start(): Promise<Buffer>;
  /** How it writes a cell. */
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
