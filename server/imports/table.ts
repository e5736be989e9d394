import { Refusal } from '#server/refusal.ts';

/** A sheet as text: its rows, the first of which is its head. */
export type Table = readonly (readonly string[])[];

export const MOST_COLUMNS = 100;
export const LONGEST_CELL = 20_000;

export const unreadable = (reason: string) => new Refusal('fileUnreadable', { values: { reason } });

export const cellTooLong = (row: number) => unreadable(`第 ${row} 行有超过 ${LONGEST_CELL} 个字符的单元格`);

/** A cell as far as it was read; its column is counted from 0. */
interface CellRead {
  readonly row: number;
  readonly column: number;
  readonly length: number;
}

/** A table on its way in, which is refused where it is none for an import before it is all in memory. */
export interface TableWithin {
  /** Looks at a cell before the rest of its row is read. */
  demandCell(cell: CellRead): void;
  /** Takes a row with its number. */
  add(row: readonly string[], number: number): void;
  readonly table: Table;
}

export function tableWithin(mostRows: number): TableWithin {
  const rows: string[][] = [];
  return {
    demandCell({ row, column, length }) {
      if (column >= MOST_COLUMNS) throw unreadable(`第 ${row} 行超过 ${MOST_COLUMNS} 列`);
      if (length > LONGEST_CELL) throw cellTooLong(row);
    },
    add(row, number) {
      if (number > mostRows + 1) throw unreadable(`不能超过 ${mostRows} 行`);
      // A workbook leaves out rows without cells; they keep their numbers.
      while (rows.length < number - 1) rows.push([]);
      rows[number - 1] = [...row];
    },
    get table(): Table {
      return rows;
    },
  };
}
