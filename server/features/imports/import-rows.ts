import { sql } from 'kysely';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type ImportColumn, type ImportFault, type ImportReport, importColumns } from '#contract/imports.ts';
import type { Db } from '#server/db/database.ts';
import { type MeaningOf, meanings } from './cell-values.ts';
import { type Table, unreadable } from './table.ts';

/** Every fault is told, but no more than anybody reads. */
const MOST_FAULTS = 500;

type Fields = Readonly<Record<string, unknown>>;

interface Import {
  readonly endpoint: AnyEndpoint;
  readonly table: Table;
  /** What is the same in all rows. */
  readonly given: Fields;
  readonly db: Db;
  /** Does the call for one row; gives a sentence for each field that is wrong, and for the whole row under none. */
  readonly run: (input: Fields) => Promise<Readonly<Record<string, string>> | undefined>;
}

interface Placed extends ImportColumn {
  readonly at: number;
}

const headOf = (cell: string): string => cell.trim().replace(/\s*\*$/, '');

/** The columns by where they stand, and what is wrong with the head. */
function placed(columns: readonly ImportColumn[], head: readonly string[]) {
  const labels = head.map(headOf);
  const faults: ImportFault[] = [];
  for (const [at, label] of labels.entries()) {
    const isKnown = columns.some((column) => column.label === label);
    if (label !== '' && !isKnown)
      faults.push({ row: 1, column: label, message: '没有这一列，请使用模板的表头' });
    if (label !== '' && labels.indexOf(label) < at)
      faults.push({ row: 1, column: label, message: '这一列出现了两次' });
  }
  const found = columns.map((column): Placed => ({ ...column, at: labels.indexOf(column.label) }));
  for (const { at, label, required } of found)
    if (required && at < 0) faults.push({ row: 1, column: label, message: '缺少这一列' });
  return { found: found.filter(({ at }) => at >= 0), faults };
}

/** A row as the call takes it, and what of it means nothing. */
function readRow(columns: readonly Placed[], cells: readonly string[], given: Fields, meaningOf: MeaningOf) {
  const input: Record<string, unknown> = { ...given };
  const problems: Record<string, string> = {};
  for (const column of columns) {
    const meant = meaningOf(column, (cells[column.at] ?? '').trim(), input);
    if ('problem' in meant) problems[column.name] = `${column.label}${meant.problem}`;
    else if (meant.value !== undefined) input[column.name] = meant.value;
  }
  return { input, problems };
}

/** Runs the call for every row inside one transaction and tells every fault; each row is undone that has one. */
export async function importRows({ endpoint, table, given, db, run }: Import): Promise<ImportReport> {
  const [head = [], ...rows] = table;
  const columns = importColumns(endpoint, Object.keys(given));
  const { found, faults } = placed(columns, head);
  const filled = rows
    .map((cells, index) => ({ cells, row: index + 2 }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (filled.length === 0) throw unreadable('表头下面没有任何一行');
  if (faults.length > 0) return { rows: filled.length, faults };
  const meaningOf = await meanings(db, columns);
  const labels = new Map(columns.map(({ name, label }) => [name, label]));
  for (const { cells, row } of filled) {
    const { input, problems } = readRow(found, cells, given, meaningOf);
    await sql`savepoint import_row`.execute(db);
    const refused = Object.keys(problems).length > 0 ? problems : await run(input);
    await (refused ? sql`rollback to savepoint import_row` : sql`release savepoint import_row`).execute(db);
    for (const [field, message] of Object.entries(refused ?? {}))
      faults.push({ row, column: labels.get(field) ?? null, message });
    if (faults.length >= MOST_FAULTS) break;
  }
  return { rows: filled.length, faults };
}
