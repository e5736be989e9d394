import { sql } from 'kysely';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { toldInEnglish } from '#contract/english/told.ts';
import { metaOf } from '#contract/fields.ts';
import { type ImportColumn, type ImportFault, type ImportReport, importColumns } from '#contract/imports.ts';
import type { Db } from '#server/db/database.ts';
import { restored } from '#server/exports/cells.ts';
import { type MeaningOf, meanings } from './cell-values.ts';
import { pace } from './pace.ts';
import { type Table, unreadable } from './table.ts';

/** Every fault is told, but no more than anybody reads. */
const MOST_FAULTS = 500;
const ROWS_AT_ONCE = 100;

type Fields = Readonly<Record<string, unknown>>;

type Problems = Readonly<Record<string, string>>;

interface Import {
  readonly endpoint: AnyEndpoint;
  readonly table: Table;
  /** What is the same in all rows. */
  readonly given: Fields;
  readonly db: Db;
  /** A sentence for each field of a row that is wrong by itself. */
  readonly check: (input: Fields) => Problems | undefined;
  /** Does the call for a row; a sentence for each field it is refused for, and for the whole row under none. */
  readonly run: (input: Fields) => Promise<Problems | undefined>;
}

interface Row {
  readonly row: number;
  readonly input: Fields;
}

interface Placed extends ImportColumn {
  readonly at: number;
}

/** A head without the star of what is required. */
function headOf(cell: string): string {
  const head = cell.trim();
  return head.endsWith('*') ? head.slice(0, -1).trimEnd() : head;
}

/** The columns by where they stand, headed in Chinese or English, and what is wrong with the head. */
function placed(columns: readonly ImportColumn[], head: readonly string[]) {
  const english = new Map(columns.map(({ label }) => [toldInEnglish(label), label]));
  const labels = head.map(headOf).map((label) => english.get(label) ?? label);
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

/** What a cell says: as it was before an export made it safe; of a long text blanks at its ends too, which may set in a paragraph. */
function saidIn(cell: string, { schema }: ImportColumn): string {
  return metaOf(schema).kind === 'longText' ? restored(cell) : restored(cell.trim());
}

/** A row as the call takes it, and what of it means nothing. */
function readRow(columns: readonly Placed[], cells: readonly string[], given: Fields, meaningOf: MeaningOf) {
  const input: Record<string, unknown> = { ...given };
  const problems: Record<string, string> = {};
  for (const column of columns) {
    const meant = meaningOf(column, saidIn(cells[column.at] ?? '', column), input);
    if ('problem' in meant) problems[column.name] = `${column.label}${meant.problem}`;
    else if (meant.value !== undefined) input[column.name] = meant.value;
  }
  return { input, problems: Object.keys(problems).length > 0 ? problems : undefined };
}

/** What some of these rows are refused for. Many together cost little; where one is refused, the halves are tried apart. */
async function refusedOf(whole: Import, rows: readonly Row[]): Promise<[number, Problems][]> {
  const { db, run } = whole;
  await sql`savepoint import_rows`.execute(db);
  for (const { row, input } of rows) {
    const problems = await run(input);
    if (!problems) continue;
    await sql`rollback to savepoint import_rows`.execute(db);
    if (rows.length === 1) return [[row, problems]];
    return inParts(rows, Math.ceil(rows.length / 2), (part) => refusedOf(whole, part));
  }
  await sql`release savepoint import_rows`.execute(db);
  return [];
}

async function inParts(
  rows: readonly Row[],
  size: number,
  work: (part: readonly Row[]) => Promise<[number, Problems][]>,
): Promise<[number, Problems][]> {
  const found: [number, Problems][] = [];
  for (let from = 0; from < rows.length && found.length < MOST_FAULTS; from += size)
    found.push(...(await work(rows.slice(from, from + size))));
  return found;
}

/** Runs the call for every row inside one transaction and tells every fault; rows are undone together with one that has one. */
export async function importRows(whole: Import): Promise<ImportReport> {
  const { endpoint, table, given, db, check } = whole;
  const [head = [], ...rows] = table;
  const columns = importColumns(endpoint, Object.keys(given));
  const { found, faults } = placed(columns, head);
  const filled = rows
    .map((cells, index) => ({ cells, row: index + 2 }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (filled.length === 0) throw unreadable('表头下面没有任何一行');
  if (faults.length > 0) return { rows: filled.length, faults };
  const meaningOf = await meanings(db, columns);
  const breathe = pace();
  const sound: Row[] = [];
  const own: [number, Problems][] = [];
  for (const { cells, row } of filled) {
    const { input, problems } = readRow(found, cells, given, meaningOf);
    const wrong = problems ?? check(input);
    if (wrong) own.push([row, wrong]);
    else sound.push({ row, input });
    await breathe();
  }
  const refused = await inParts(sound, ROWS_AT_ONCE, (part) => refusedOf(whole, part));
  const labels = new Map(columns.map(({ name, label }) => [name, label]));
  const all = [...own, ...refused].toSorted(([one], [other]) => one - other);
  const told = all.flatMap(([row, problems]) =>
    Object.entries(problems).map(([field, message]) => ({ row, column: labels.get(field) ?? null, message })),
  );
  return { rows: filled.length, faults: told.slice(0, MOST_FAULTS) };
}
