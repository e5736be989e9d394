import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import {
  DumpError,
  END_OF_ROWS,
  EndLine,
  FORMAT,
  Header,
  SumLine,
  TableLine,
  VERSION,
} from './dump-format.ts';

const damaged = () => new DumpError('导出文件已损坏或不完整');

/** The lines of a text that comes in pieces, without their ends. Throws `DumpError` when the last one has none. */
export async function* splitLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      yield bytes.subarray(from, at);
      from = at + 1;
    }
    rest = bytes.subarray(from);
  }
  if (rest.length > 0) throw damaged();
}

function linesOf(file: string): AsyncGenerator<Buffer> {
  const unpacked = createGunzip();
  createReadStream(file)
    .once('error', (error) => unpacked.destroy(error))
    .pipe(unpacked);
  return splitLines(unpacked);
}

function parsed<S extends z.ZodType>(schema: S, line: Buffer | undefined): z.output<S> {
  try {
    return schema.parse(JSON.parse(String(line)));
  } catch {
    throw damaged();
  }
}

/** What is done with a dump as it is read. */
export interface DumpReader {
  header?(header: Header): Promise<void> | void;
  /** Takes the rows of a table, each with its line end, to the last one. */
  table?(line: TableLine, rows: AsyncIterable<Buffer>): Promise<void>;
  /** After a table's rows have proven to be what the file says they are. */
  sum?(line: TableLine, sum: SumLine): Promise<void> | void;
  end?(end: EndLine): Promise<void> | void;
}

const NEWLINE = Buffer.from('\n');
const MARK = Buffer.from(END_OF_ROWS);
const BATCH_BYTES = 65_536;

/** The rows up to their end mark, many at a time. */
async function* rowsUpToMark(lines: AsyncIterator<Buffer>, seen: (bytes: Buffer, rows: number) => void) {
  let batch: Buffer[] = [];
  let size = 0;
  const flush = () => {
    const bytes = Buffer.concat(batch);
    seen(bytes, batch.length / 2);
    [batch, size] = [[], 0];
    return bytes;
  };
  for (let next = await lines.next(); ; next = await lines.next()) {
    if (next.done) throw damaged();
    if (next.value.equals(MARK)) break;
    batch.push(next.value, NEWLINE);
    size += next.value.length + 1;
    if (size >= BATCH_BYTES) yield flush();
  }
  if (size > 0) yield flush();
}

async function readTable(lines: AsyncIterator<Buffer>, line: TableLine, reader: DumpReader): Promise<void> {
  const hash = createHash('sha256');
  let rows = 0;
  const pieces = rowsUpToMark(lines, (bytes, count) => {
    hash.update(bytes);
    rows += count;
  });
  if (reader.table) await reader.table(line, pieces);
  // Whoever does not want them still has them checked.
  for await (const _ of pieces);
  const sum = parsed(SumLine, (await lines.next()).value);
  if (sum.rows !== rows || sum.sha256 !== hash.digest('hex')) throw damaged();
  await reader.sum?.(line, sum);
}

/** Reads a dump from its header to its end and checks every part of it. Throws `DumpError`. */
export async function readDump(file: string, reader: DumpReader = {}): Promise<void> {
  const lines = linesOf(file);
  try {
    const header = parsed(Header, (await lines.next()).value);
    if (header.format !== FORMAT || header.version > VERSION)
      throw new DumpError('导出文件由更新的程序写出，请使用同一版本或更新的程序');
    await reader.header?.(header);
    for (const table of header.tables) {
      const line = parsed(TableLine, (await lines.next()).value);
      if (line.table !== table) throw damaged();
      await readTable(lines, line, reader);
    }
    const end = parsed(EndLine, (await lines.next()).value);
    if (!(await lines.next()).done) throw damaged();
    await reader.end?.(end);
  } catch (error) {
    // What cannot be unpacked is no dump, or half of one.
    if (error instanceof Error && 'code' in error && /^(Z_|ENOENT|EISDIR|EACCES)/.test(String(error.code)))
      throw new DumpError(/^Z_/.test(String(error.code)) ? damaged().message : `无法读取导出文件 ${file}`);
    throw error;
  } finally {
    await lines.return(undefined);
  }
}
