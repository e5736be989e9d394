import type { TransactionSql } from 'postgres';
import { DumpError } from './dump-format.ts';

/** The tables with rows worth keeping: those of the platform, but for what lives for seconds and what migrations write. */
async function tablesOf(sql: TransactionSql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' and relname <> 'schema_migration'
    order by 1`;
  return rows.map(({ name }) => name);
}

/** Tables so that each refers to earlier ones only (or to itself). Throws `DumpError` when they refer in a circle. */
export async function inOrderOfReferences(sql: TransactionSql): Promise<string[]> {
  const references = await sql<{ from: string; to: string }[]>`
    select distinct f.relname as "from", t.relname as "to" from pg_constraint k
      join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where contype = 'f' and f.relnamespace = 'public'::regnamespace and f.oid <> t.oid`;
  const ordered: string[] = [];
  let left = await tablesOf(sql);
  while (left.length > 0) {
    const ready = left.filter(
      (table) => !references.some(({ from, to }) => from === table && left.includes(to)),
    );
    if (ready.length === 0) throw new DumpError(`数据表互相引用，无法排序：${left.join('、')}`);
    ordered.push(...ready);
    left = left.filter((table) => !ready.includes(table));
  }
  return ordered;
}
