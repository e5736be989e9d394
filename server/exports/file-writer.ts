import type { CellType, WriteCell } from './cells.ts';

/** Writes a file piece by piece; each piece may go out at once. */
export interface FileWriter {
  /** What comes before the rows. */
  start(): Promise<Buffer>;
  /** How it writes a cell. */
  readonly cell: WriteCell;
  /** Takes rows of written cells one by one, so that no more than one of them is in cells at a time. */
  rows(rows: Iterable<readonly string[]>): Promise<Buffer>;
  end(): Promise<Buffer>;
  /** Frees what the writer holds, also when the file was not finished. */
  close(): void;
}

/** What heads a column, and what its cells are. */
export interface Head {
  readonly label: string;
  readonly type: CellType;
}
