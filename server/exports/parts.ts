import { type Running, valuesOf, Written } from '#server/db/written.ts';
import { valueAt } from './cells.ts';
import { type ExportColumn, rowsBelow } from './columns.ts';

/** What is read of a list at a time: how many rows of it, and the values of each of them and of those below it; or lines of COPY, a row each. */
export type Part =
  | { readonly rows: number; readonly values: Iterable<readonly unknown[]> }
  | { readonly lines: Buffer };

/** A list as it is read, part by part. */
export interface Parts {
  readonly total: number;
  readonly parts: AsyncIterable<Part>;
}

/** A page is small enough to hold and to be there in time, however long its texts are: it begins so, and doubles while they are short. */
const FIRST_ROWS = 100;
/** Big enough to cost few statements. */
const MOST_ROWS = 3_200;
const SHORT_TEXTS = 1_000_000;

const isPage = (answer: unknown): answer is { totalCount: number; data: object[] } =>
  typeof answer === 'object' &&
  answer !== null &&
  'totalCount' in answer &&
  typeof answer.totalCount === 'number' &&
  'data' in answer &&
  Array.isArray(answer.data);

/** A row and those below it, as deep as they go. */
function* withBelow(row: object): Generator<object> {
  yield row;
  for (const below of rowsBelow(row)) yield* withBelow(below);
}

/** The values of whole rows. */
function* valuesIn(rows: readonly object[], columns: readonly ExportColumn[]) {
  const at = columns.map(({ path }) => valueAt(path));
  for (const row of rows) for (const each of withBelow(row)) yield at.map((value) => value(each));
}

/** The rows of a page, or of a list that has no pages. */
function pageOf(answer: unknown): { totalCount: number; data: readonly object[] } {
  const read = valuesOf(answer);
  if (Array.isArray(read)) return { totalCount: read.length, data: read };
  if (!isPage(read)) throw new Error('an exported list is neither rows nor a page of them');
  return read;
}

/** How many rows to read after so many have been, the last of them as a page of `size`: a page begins where its number says. */
function nextSize(size: number, rows: number, page: readonly object[], columns: readonly ExportColumn[]) {
  if (2 * size > MOST_ROWS || rows % (2 * size) !== 0) return size;
  let length = 0;
  for (const values of valuesIn(page, columns))
    for (const value of values) length += typeof value === 'string' ? value.length : 0;
  return length > SHORT_TEXTS ? size : 2 * size;
}

async function* running({ lines }: Running): AsyncGenerator<Part> {
  for await (const some of lines) yield { lines: some };
}

/** Whether a value is one text, however it is read. */
const isPlain = ({ kind }: ExportColumn): boolean => kind !== 'list' && kind !== 'json';

/**
 * Reads a list by its own handler: as its rows run, where the database writes them; or else page by page, each read while the one before
 * is written. What its handler refuses is refused now.
 */
export async function partsOf(
  read: (paging: object) => Promise<unknown>,
  columns: readonly ExportColumn[],
  paged: boolean,
): Promise<Parts> {
  const wanted = columns.every(isPlain) ? columns.map(({ path }) => path) : undefined;
  const answerAt = (rows: number, pageSize: number): Promise<unknown> =>
    read(paged ? { currentPage: rows / pageSize + 1, pageSize, wanted, file: true } : {});
  const answer = await answerAt(0, FIRST_ROWS);
  const whole = answer instanceof Written ? answer.running : undefined;
  if (whole) return { total: whole.totalCount, parts: running(whole) };
  const first = pageOf(answer);

  async function* pages(): AsyncGenerator<Part> {
    let rows = 0;
    let size = FIRST_ROWS;
    for (let now: typeof first | undefined = first; now?.data.length; ) {
      rows += now.data.length;
      const isLast: boolean = !paged || rows >= now.totalCount;
      if (!isLast) size = nextSize(size, rows, now.data, columns);
      const next: Promise<typeof first> | undefined = isLast ? undefined : answerAt(rows, size).then(pageOf);
      // Whoever takes the next page hears of it.
      next?.catch(() => undefined);
      yield { rows: now.data.length, values: valuesIn(now.data, columns) };
      now = await next;
    }
  }
  return { total: first.totalCount, parts: pages() };
}
