import type { Readable } from 'node:stream';
import {
  type CompiledQuery,
  type OperationNode,
  type OperationNodeSource,
  PostgresQueryCompiler,
  type RawBuilder,
  type RawNode,
} from 'kysely';
import { textOfArray } from './array-types.ts';

const textOf = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return textOfArray(value, textOf);
  if (typeof value === 'object') throw new TypeError('a value of a COPY is none that stands in SQL');
  return String(value);
};

/** As `quote_literal` writes it, whatever the session thinks of backslashes. */
const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  const text = textOf(value).replaceAll("'", "''");
  return text.includes('\\') ? ` E'${text.replaceAll('\\', '\\\\')}'` : `'${text}'`;
};

const inCopy = new WeakMap<OperationNode, () => OperationNodeSource>();

/** Some SQL that COPY has other for: of what only makes text of a value it takes the value, since it makes text of all, by itself and sooner. */
export function copiedAs<T>(usual: RawBuilder<T>, copied: () => OperationNodeSource): RawBuilder<T> {
  inCopy.set(usual.toOperationNode(), copied);
  return usual;
}

/** COPY takes no parameters, so its values stand in it: as literals without a type, which is what parameters are. */
class WithValues extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(literal(value));
  }

  protected override visitRaw(node: RawNode): void {
    const copied = inCopy.get(node);
    if (copied) this.visitNode(copied().toOperationNode());
    else super.visitRaw(node);
  }
}

/** A query as the COPY of its rows. */
export const copyOf = ({ query, queryId }: CompiledQuery): string =>
  `copy (${new WithValues().compileQuery(query, queryId).sql}) to stdout (null '')`;

const LINE_END = 10;
/** Lines are handed on when there are so many bytes of them. */
const PIECE_BYTES = 524_288;

const escaped: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** What a value says that COPY wrote. */
export const valueOfCopy = (value: string): string =>
  value.includes('\\') ? value.replace(/\\(.)/gs, (_, code: string) => escaped[code] ?? code) : value;

/**
 * What a COPY writes, many whole lines at a time: a row each, its values with tabs between them (see `valueOfCopy`), nothing as an empty one. Who
 * takes no more of them leaves the stream as it is.
 */
export async function* linesOfCopy(stream: Readable): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    if (size < PIECE_BYTES) continue;
    const bytes = Buffer.concat(pieces);
    const end = bytes.lastIndexOf(LINE_END) + 1;
    yield bytes.subarray(0, end);
    pieces = [bytes.subarray(end)];
    size = bytes.length - end;
  }
  if (size > 0) yield Buffer.concat(pieces);
}
