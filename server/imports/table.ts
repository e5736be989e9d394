import { Refusal } from '#server/refusal.ts';

/** A sheet as text: its rows, the first of which is its head. */
export type Table = readonly (readonly string[])[];

const MOST_COLUMNS = 100;
const LONGEST_CELL = 20_000;

export const unreadable = (reason: string) => new Refusal('fileUnreadable', { values: { reason } });

/** Takes rows one by one and refuses what is no table for an import before it is all in memory. */
export function tableWithin(mostRows: number) {
  const rows: string[][] = [];
  return {
    add(row: readonly string[], number: number): void {
      if (number > mostRows + 1) throw unreadable(`不能超过 ${mostRows} 行`);
      if (row.length > MOST_COLUMNS) throw unreadable(`第 ${number} 行超过 ${MOST_COLUMNS} 列`);
      if (row.some((cell) => cell.length > LONGEST_CELL))
        throw unreadable(`第 ${number} 行有超过 ${LONGEST_CELL} 个字符的单元格`);
      // A workbook leaves out rows without cells; they keep their numbers.
      while (rows.length < number - 1) rows.push([]);
      rows[number - 1] = [...row];
    },
    get table(): Table {
      return rows;
    },
  };
}
