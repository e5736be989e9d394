import { endpointsOf, nouns } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { ExportFormat } from '#contract/export-formats.ts';
import type { Language } from '#contract/language.ts';
import type { NounName } from '#contract/ref.ts';
import { shapeOf } from '#contract/row-schema.ts';
import type { Db } from '#server/db/database.ts';
import { namedRows } from '#server/db/noun-rows.ts';
import { cellOf, cellsOf, type IdNames } from './cells.ts';
import { type ExportColumn, exportColumns, nounsIn } from './columns.ts';
import { copiedRows } from './copied-rows.ts';
import { csvWriter } from './csv-writer.ts';
import type { FileWriter, Head } from './file-writer.ts';
import { partsOf } from './parts.ts';
import { sayingIn } from './saying.ts';
import { rowsWriter } from './written-rows.ts';
import { xlsxWriter } from './xlsx-writer.ts';

/** A piece of the file, and how many rows of the list have been written so far: what a workbook packs meanwhile is in the next. */
export interface Piece {
  /** They stand until the next piece is asked for. */
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
  readonly language: Language;
  /** One snapshot for the whole export: rows that come and go meanwhile are neither doubled nor lost. */
  readonly db: Db;
  /** The list's own handler, with the caller's search and this page. */
  readonly read: (paging: object) => Promise<unknown>;
}

const listNames = new Map<AnyEndpoint, string>(
  Object.entries(nouns).flatMap(([heading, calls]) =>
    endpointsOf(calls).map(([, endpoint]) => [endpoint, endpoint.noun ?? heading] as const),
  ),
);

/** What a list of the contract is called: as it says, else by the heading it stands under. */
export const nameOf = (endpoint: AnyEndpoint, language: Language = 'zh'): string =>
  sayingIn(language)(listNames.get(endpoint) ?? '');

/** What a workbook calls a sheet: up to 31 signs, without those that its formulas set names apart by. */
const sheetNamed = (name: string): string => name.replace(/[\\/?*[\]:]/g, '-').slice(0, 28);

function writerFor(
  { endpoint, format, language }: ListSource,
  columns: readonly ExportColumn[],
  total: number,
): FileWriter {
  const heads = columns.map((column): Head => ({ label: column.label, type: cellsOf(column).type }));
  return format === 'csv'
    ? csvWriter(heads)
    : xlsxWriter(heads, sheetNamed(nameOf(endpoint, language)), total);
}

/** The names of the rows that these columns refer to, as they stand in the transaction of the export. */
async function namesFor(db: Db, columns: readonly ExportColumn[]): Promise<IdNames> {
  const names = new Map<NounName, ReadonlyMap<string, string>>();
  for (const noun of new Set(nounsIn(columns))) {
    const rows = await namedRows(db, noun);
    names.set(noun, new Map(rows.map(({ id, name }) => [String(id), name])));
  }
  return names;
}

/** Reads the first page, which is when a list can be refused, and gives what follows piece by piece. */
export async function exportList(source: ListSource): Promise<ListExport> {
  const { endpoint, language, db, read } = source;
  const columns = exportColumns(endpoint, language === 'zh' ? undefined : sayingIn(language));
  const { total, parts } = await partsOf(read, columns, 'pageSize' in shapeOf(endpoint.input));
  const names = await namesFor(db, columns);
  async function* pieces(): AsyncGenerator<Piece> {
    const writer = writerFor(source, columns, total);
    const cells = columns.map((column) => cellOf(column, names, writer.cell));
    const written = rowsWriter(cells, writer.row);
    const copied = copiedRows(columns, names, writer);
    try {
      yield { bytes: await writer.start(), rows: 0 };
      let rows = 0;
      for await (const part of parts) {
        const lot = await writer.rows('lines' in part ? copied(part.lines) : written(part.values));
        rows += 'lines' in part ? lot.rows : part.rows;
        yield { bytes: lot.bytes, rows };
      }
      yield { bytes: await writer.end(), rows };
    } finally {
      writer.close();
    }
  }
  return { total, pieces };
}
