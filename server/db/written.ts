import { type OperationNodeSource, type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';
import { copiedAs } from './driver/copy-out.ts';

/** The values of a row that a file has: the path of each within the row. */
export type Wanted = readonly (readonly string[])[];

/** Rows on their way into a file: how many, and their wanted values as lines of COPY, in pieces of many lines. */
export interface Running {
  readonly totalCount: number;
  readonly lines: AsyncIterable<Buffer>;
}

/** What a query answers as JSON that the database wrote, to be passed on unread; or, where a file is wanted, its rows as a stream. */
export class Written<T> {
  readonly #written: readonly Buffer[] | Running;

  constructor(written: readonly Buffer[] | Running) {
    this.#written = written;
  }

  /** The JSON, one part after the other. */
  get parts(): readonly Buffer[] {
    if ('lines' in this.#written) throw new Error('its rows are on their way into a file');
    return this.#written;
  }

  /** The rows, where they are on their way into a file. */
  get running(): Running | undefined {
    return 'lines' in this.#written ? this.#written : undefined;
  }

  read(): T {
    return JSON.parse(Buffer.concat(this.parts).toString()) as T;
  }
}

/** The values of an answer, parsed if the database wrote it. */
export const valuesOf = <T>(answer: T | Written<T>): T =>
  answer instanceof Written ? answer.read() : answer;

// The wire has what the driver reads: amounts as text, moments to the second.

/** A number as the wire has it where it must not lose a digit. */
export const asText = (column: string): RawBuilder<string> =>
  copiedAs(sql`${sql.ref(column)}::text`, () => sql.ref(column));

/** A moment as the wire has it, in the session's zone, which is the platform's. COPY writes parts of a second and the zone behind it. */
export const asMoment = (column: string): RawBuilder<string> =>
  copiedAs(sql`left(${sql.ref(column)}::text, 19)`, () => sql.ref(column));

/** A value of a row `r`, at its path. */
const valueAt = ([first = '', ...rest]: readonly string[]): RawBuilder<unknown> =>
  rest.reduce<RawBuilder<unknown>>((before, name) => sql`(${before}).${sql.id(name)}`, sql.ref(`r.${first}`));

/** Rows in reverse order. */
export const turned = (rows: OperationNodeSource): RawBuilder<unknown> =>
  sql`select r.* from (${rows}) as r order by row_number() over () desc`;

/** The wanted values of rows, in their order or reversed, as COPY writes them: null as an empty text, a flag as `t` or `f`. */
export async function* running(
  db: Db,
  rows: OperationNodeSource,
  { wanted, backwards = false }: { wanted: Wanted; backwards?: boolean },
): AsyncGenerator<Buffer> {
  // Whoever takes the file takes the time it takes.
  await sql`select set_config('statement_timeout', '0', true)`.execute(db);
  const values = sql.join(wanted.map(valueAt));
  const statement = sql<Buffer>`select ${values} from (${backwards ? turned(rows) : rows}) as r`;
  for await (const found of db.getExecutor().stream(statement.compile(db), 1)) yield* found.rows;
}

/** Rows in their order as one text of JSON objects with commas between; null when there are none. */
export const rowsOf = (rows: OperationNodeSource): RawBuilder<string | null> =>
  sql`lateral (select string_agg(row_to_json(r)::text, ',') as rows from (${rows}) as r)`;
