import { type CompiledQuery, type OperationNodeSource, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Tables } from './database.ts';
import { copiedAs } from './driver/copy-out.ts';

/** Whole rows of a table, as a part of a statement. */
export type RowsOf<T extends keyof Tables> = RawBuilder<Selectable<Tables[T]>>;

/** A query for rows, by Kysely's builder or as `sql` text. */
export interface Rows<Row> extends OperationNodeSource {
  compile(db: Db): CompiledQuery<Row>;
}

type Part = RawBuilder<unknown>;

/** Where a part goes in the text; no name or literal of ours looks so. */
const placeOf = (part: number): RawBuilder<unknown> => sql.raw(`/*part ${part}*/`);
const places = /\/\*part (\d+)\*\//;

/**
 * A query that differs between calls in its `parts` only, such as the joins around the rows of a page: it is built and compiled at the first call
 * and kept. A part may stand in several places. Throws when a value stands outside the parts, since every later call would get the first one's.
 * For COPY, which may take other columns, it is built anew.
 */
export function compiledOnce<Parts extends Part[], Row>(
  build: (db: Db, ...parts: Parts) => Rows<Row>,
): (db: Db, ...parts: Parts) => RawBuilder<Row> {
  let text: { readonly pieces: TemplateStringsArray; readonly parts: readonly number[] } | undefined;
  const compile = (db: Db, count: number) => {
    const holes = Array.from({ length: count }, (_, part) => placeOf(part)) as Parts;
    const compiled = build(db, ...holes).compile(db);
    if (compiled.parameters.length > 0)
      throw new Error(`a value stands in what is compiled once: ${compiled.sql}`);
    const split = compiled.sql.split(places);
    const pieces = split.filter((_, at) => at % 2 === 0);
    return {
      pieces: Object.assign(pieces, { raw: pieces }),
      parts: split.filter((_, at) => at % 2 === 1).map(Number),
    };
  };
  return (db, ...given) => {
    text ??= compile(db, given.length);
    const usual = sql<Row>(text.pieces, ...text.parts.map((part) => given[part]));
    return copiedAs(usual, () => build(db, ...given));
  };
}
