import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { ExportFormat } from '#contract/export-formats.ts';
import type { NounName } from '#contract/ref.ts';
import { shapeOf } from '#contract/row-schema.ts';
import type { Db } from '#server/db/database.ts';
import { namedRows } from '#server/db/noun-rows.ts';
import { cellOf, type IdNames } from './cells.ts';
import { type ExportColumn, exportColumns, nounsIn, rowsBelow } from './columns.ts';
import { csvWriter } from './csv-writer.ts';
import type { FileWriter, Head } from './file-writer.ts';
import { xlsxWriter } from './xlsx-writer.ts';

/** A piece of the file, and how many rows of the list it and those before it hold. */
export interface Piece {
  readonly bytes: Buffer;
  readonly rows: number;
}

/** A list on its way into a file. */
export interface ListExport {
  /** How many rows the list has. */
  readonly total: number;
  pieces(): AsyncGenerator<Piece>;
}

interface ListSource {
  readonly endpoint: AnyEndpoint;
  readonly format: ExportFormat;
  /** What the list is called. */
  readonly name: string;
  /** One snapshot for the whole export: rows that come and go meanwhile are neither doubled nor lost. */
  readonly db: Db;
  /** The list's own handler, with the caller's search and this page. */
  readonly read: (paging: object) => Promise<unknown>;
}

/** Big enough to cost few statements, small enough to hold. */
const PAGE_ROWS = 5_000;

interface Page {
  total: number;
  rows: readonly object[];
}

const isPage = (answer: unknown): answer is { totalCount: number; data: object[] } =>
  typeof answer === 'object' &&
  answer !== null &&
  'totalCount' in answer &&
  typeof answer.totalCount === 'number' &&
  'data' in answer &&
  Array.isArray(answer.data);

function pageOf(answer: unknown): Page {
  if (Array.isArray(answer)) return { total: answer.length, rows: answer };
  if (!isPage(answer)) throw new Error('an exported list is neither rows nor a page of them');
  return { total: answer.totalCount, rows: answer.data };
}

const withBelow = (row: object): object[] => [row, ...rowsBelow(row).flatMap(withBelow)];

const headTypes: Partial<Record<string, Head['type']>> = {
  id: 'number',
  integer: 'number',
  decimal: 'number',
  dateTime: 'moment',
};

function writerFor({ endpoint, format, name }: ListSource): FileWriter {
  const heads = exportColumns(endpoint).map(
    ({ label, kind, names }): Head => ({ label, type: names ? 'text' : (headTypes[kind] ?? 'text') }),
  );
  return format === 'csv' ? csvWriter(heads) : xlsxWriter(heads, name);
}

/** The names of the rows that these columns refer to, as they stand in the transaction of the export. */
async function namesFor(db: Db, columns: readonly ExportColumn[]): Promise<IdNames> {
  const names = new Map<NounName, ReadonlyMap<unknown, string>>();
  for (const noun of new Set(nounsIn(columns))) {
    const rows = await namedRows(db, noun);
    names.set(noun, new Map(rows.map(({ id, name }) => [id, name])));
  }
  return names;
}

/** Reads the first page, which is when a list can be refused, and gives what follows piece by piece. */
export async function exportList(source: ListSource): Promise<ListExport> {
  const { endpoint, db, read } = source;
  const columns = exportColumns(endpoint);
  const paged = 'pageSize' in shapeOf(endpoint.input);
  const pageAt = async (currentPage: number): Promise<Page> =>
    pageOf(await read(paged ? { currentPage, pageSize: PAGE_ROWS } : {}));
  const first = await pageAt(1);
  const names = await namesFor(db, columns);
  const cellsOf = (page: Page) =>
    page.rows.flatMap(withBelow).map((row) => columns.map((column) => cellOf(column, row, names)));

  async function* pieces(): AsyncGenerator<Piece> {
    const writer = writerFor(source);
    try {
      yield { bytes: await writer.start(), rows: 0 };
      let page = first;
      let rows = 0;
      for (let number = 1; page.rows.length > 0; page = await pageAt(++number)) {
        rows += page.rows.length;
        yield { bytes: await writer.rows(cellsOf(page)), rows };
        if (!paged || rows >= page.total) break;
      }
      yield { bytes: await writer.end(), rows };
    } finally {
      writer.close();
    }
  }
  return { total: first.total, pieces };
}
