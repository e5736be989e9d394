import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import postgres, { type TransactionSql } from 'postgres';
import { errorCode } from './driver/outage.ts';
import {
  DumpError,
  END_OF_ROWS,
  type EndLine,
  FORMAT,
  type Header,
  type SumLine,
  type TableLine,
  VERSION,
} from './dump-format.ts';
import { inOrderOfReferences } from './dump-order.ts';
import { canBeMadeAgain } from './migrate.ts';

/** A session whose texts are the same wherever they are written and read; nothing hurries it. */
export const dumpSession = (url: string) =>
  postgres(url, {
    max: 1,
    onnotice: () => {},
    connection: {
      application_name: 'back-office dump',
      TimeZone: 'UTC',
      DateStyle: 'ISO, YMD',
      IntervalStyle: 'postgres',
      extra_float_digits: 1,
      statement_timeout: 0,
      idle_in_transaction_session_timeout: 0,
    },
  });

/** The columns of a table that are stored as given: generated ones make themselves. */
async function columnsOf(sql: TransactionSql, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${`public.${table}`}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;
  return rows.map(({ name }) => name);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** How COPY calls a table with these columns. */
export const copied = ({ table, columns }: TableLine): string =>
  `public.${quoted(table)} (${columns.map(quoted).join(', ')})`;

const ROWS_AT_ONCE = 500;

/** A value as COPY reads it. */
const asCopied = (column: string): string =>
  `coalesce(replace(replace(replace(replace(${quoted(column)}::text, '\\', '\\\\'), chr(10), '\\n'), chr(13), '\\r'), chr(9), '\\t'), '\\N')`;

/** The rows of a table as COPY reads them, some at a time: its own stream stays paused when its end comes while it is full. */
export async function* rowsOf(sql: TransactionSql, { table, columns }: TableLine): AsyncGenerator<string[]> {
  const line = columns.map(asCopied).join(' || chr(9) || ');
  await sql.unsafe(`declare dumped no scroll cursor for select ${line} as line from public.${quoted(table)}`);
  for (let full = true; full; ) {
    const rows = await sql.unsafe<{ line: string }[]>(`fetch ${ROWS_AT_ONCE} from dumped`);
    if (rows.length > 0) yield rows.map((row) => row.line);
    full = rows.length === ROWS_AT_ONCE;
  }
  await sql.unsafe('close dumped');
}

/** The rows of a table, piece by piece, and in the end what they add up to. */
async function* piecesOfTable(sql: TransactionSql, table: TableLine): AsyncGenerator<string, SumLine> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const lines of rowsOf(sql, table)) {
    const piece = `${lines.join('\n')}\n`;
    hash.update(piece);
    rows += lines.length;
    yield piece;
  }
  return { rows, sha256: hash.digest('hex') };
}

const sequencesOf = (sql: TransactionSql): Promise<EndLine['sequences']> => sql`
  select sequencename as name, coalesce(last_value, start_value)::text as value, last_value is not null as called
  from pg_sequences where schemaname = 'public' order by 1`;

const lineOf = (value: Header | TableLine | SumLine | EndLine): string => `${JSON.stringify(value)}\n`;

interface Progress {
  tables: number;
  rows: number;
}

/** The whole database as one transaction sees it. Unlogged tables are left out. */
async function* piecesOf(sql: TransactionSql, progress: Progress): AsyncGenerator<string> {
  const migrations = await sql<
    Header['migrations']
  >`select name, checksum from public.schema_migration order by name`;
  if (!canBeMadeAgain(migrations))
    throw new DumpError('数据库与本程序的版本不一致，请先用本程序启动一次服务（升级数据库），再导出');
  const tables = await inOrderOfReferences(sql);
  const createTime = new Date().toISOString();
  yield lineOf({ format: FORMAT, version: VERSION, createTime, migrations: [...migrations], tables });
  for (const table of tables) {
    const line = { table, columns: await columnsOf(sql, table) };
    yield lineOf(line);
    const sum = yield* piecesOfTable(sql, line);
    yield `${END_OF_ROWS}\n${lineOf(sum)}`;
    progress.tables++;
    progress.rows += sum.rows;
  }
  yield lineOf({ end: true, sequences: await sequencesOf(sql) });
}

/** What the system has against a file, never against a connection. */
const ofFiles = /^E(NOENT|NOTDIR|ISDIR|ACCES|PERM|ROFS|NOSPC|DQUOT|FBIG|IO|NAMETOOLONG)$/;

/**
 * Writes the whole database into a file, as it is at one moment, while servers go on working. The file appears only when it is complete, also
 * where several are written under one name at once, as by a clock that does not wait for the last one. Throws `DumpError`.
 */
export async function dump(
  url: string,
  file: string,
  interrupted = new AbortController().signal,
): Promise<Progress> {
  const sql = dumpSession(url);
  const progress = { tables: 0, rows: 0 };
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    await sql.begin('isolation level repeatable read read only', async (tx) => {
      const output = createWriteStream(part, { mode: 0o600 });
      const pieces = Readable.from(piecesOf(tx, progress));
      await pipeline(pieces, createGzip(), output, { signal: interrupted });
    });
    await rename(part, file);
    return progress;
  } catch (error) {
    if (interrupted.aborted) throw new DumpError('导出已中断，没有写出文件');
    if (!ofFiles.test(errorCode(error))) throw error;
    throw new DumpError(`无法写入导出文件 ${file}（${error instanceof Error ? error.message : error}）`);
  } finally {
    // What cannot be removed was not made either, and why is told already.
    await rm(part, { force: true }).catch(() => {});
    await sql.end();
  }
}
