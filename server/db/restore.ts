import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TransactionSql } from 'postgres';
import { connect } from './database.ts';
import { copied, dumpSession, rowsOf } from './dump.ts';
import { DumpError, type EndLine, type Header, type TableLine } from './dump-format.ts';
import { readDump, splitLines } from './dump-reader.ts';
import { demandKnown, migrateTo } from './migrate.ts';
import { RowTally } from './row-tally.ts';

const quoted = (name: string): string => `public."${name.replaceAll('"', '""')}"`;

/** A database in which a program has worked is not written over. */
async function demandUnused(sql: TransactionSql): Promise<void> {
  const [row] = await sql<{ used: boolean }[]>`
    select case when to_regclass('public.seed_row') is null
      then exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migration')
      end as used`;
  const used = row?.used ?? (await sql`select from public.seed_row limit 1`).length > 0;
  if (used) throw new DumpError('目标数据库不是空的，恢复只能写入空库');
}

const switchTriggers = async (
  sql: TransactionSql,
  { tables }: Header,
  to: 'enable' | 'disable',
): Promise<void> => {
  for (const table of tables) await sql.unsafe(`alter table ${quoted(table)} ${to} trigger user`);
};

/** Rows that migrations wrote make room for those of the dump. */
async function empty(sql: TransactionSql, { tables }: Header): Promise<void> {
  for (const table of tables.toReversed())
    if ((await sql.unsafe(`select from ${quoted(table)} limit 1`)).length > 0)
      await sql.unsafe(`delete from ${quoted(table)}`);
}

/** Loads one table, and reads it again: what lies in the database now is, row by row, what was dumped. */
async function load(sql: TransactionSql, line: TableLine, rows: AsyncIterable<Buffer>): Promise<void> {
  const [given, held] = [new RowTally(), new RowTally()];
  async function* counted() {
    for await (const piece of rows) {
      for await (const row of splitLines(onePiece(piece))) given.add(row);
      yield piece;
    }
  }
  await pipeline(Readable.from(counted()), await sql.unsafe(`copy ${copied(line)} from stdin`).writable());
  for await (const lines of rowsOf(sql, line)) for (const row of lines) held.add(Buffer.from(row));
  if (held.text !== given.text) throw new DumpError(`恢复出的数据表 ${line.table} 与导出文件不一致`);
}

async function* onePiece(piece: Buffer) {
  yield piece;
}

async function setSequences(sql: TransactionSql, { sequences }: EndLine): Promise<void> {
  for (const { name, value, called } of sequences)
    await sql`select setval(${quoted(name)}::regclass, ${value}::bigint, ${called})`;
}

/** Loads the file's rows into the schema made for them; all of them or none. */
async function loadAll(url: string, file: string): Promise<{ tables: number; rows: number }> {
  const sql = dumpSession(url);
  const loaded = { tables: 0, rows: 0 };
  try {
    await sql.begin(async (tx) => {
      let known: Header | undefined;
      await readDump(file, {
        header: async (header) => {
          known = header;
          await switchTriggers(tx, header, 'disable');
          // That locks the tables: another restore may have filled them, and a server have begun to work, since they were looked at.
          await demandUnused(tx);
          await empty(tx, header);
        },
        table: (line, rows) => load(tx, line, rows),
        sum: (_line, sum) => {
          loaded.tables++;
          loaded.rows += sum.rows;
        },
        end: (end) => setSequences(tx, end),
      });
      if (known) await switchTriggers(tx, known, 'enable');
    });
    await sql`analyze`;
    return loaded;
  } finally {
    await sql.end();
  }
}

/**
 * Restores a dump into an empty database: the file is read and checked whole, then the schema is made as it was dumped, then all rows
 * are loaded in one transaction and compared. Newer migrations follow at the next start. The database is asked for once the file has proven
 * sound, so that nothing is made for one that is not. `migrations` is this program's own folder unless given. Throws `DumpError`, and
 * leaves no rows behind.
 */
export async function restore(
  database: string | (() => Promise<string>),
  file: string,
  migrations?: URL,
): Promise<{ tables: number; rows: number }> {
  let dumped: Header | undefined;
  await readDump(file, {
    header: (header) => {
      dumped = header;
    },
  });
  const state = dumped?.migrations ?? [];
  demandKnown(state, migrations);
  const url = typeof database === 'string' ? database : await database();
  const probe = dumpSession(url);
  await probe.begin((tx) => demandUnused(tx)).finally(() => probe.end());
  const db = connect(url, { timeZone: 'UTC', max: 1, patient: true });
  await migrateTo(db, state, migrations).finally(() => db.destroy());
  return loadAll(url, file);
}
