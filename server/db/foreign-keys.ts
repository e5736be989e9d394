import { sql } from 'kysely';
import type { Db } from './database.ts';
import { errorCode } from './driver/outage.ts';

/** A foreign key that a change would have broken. */
export interface BrokenKey {
  /** The column that holds the reference, and the table of the row it leads to. */
  readonly column: string;
  readonly target: string;
  /** Whether the row it leads to is not there; else that row was to go while it is referred to. */
  readonly missing: boolean;
}

interface ViolationError {
  readonly schema_name: string;
  readonly table_name: string;
  readonly constraint_name: string;
  /** As in `Key (gameId)=(7) …`, in whatever language the database speaks; the columns are those of the side that is wrong. */
  readonly detail?: string;
}

/** SQLSTATE 23503. */
export const isBrokenKey = (error: unknown): error is Error & ViolationError =>
  errorCode(error) === '23503' && 'constraint_name' in (error as Error);

/** What a broken foreign key means, by its own name: the catalogue knows it, and is asked only when one breaks. */
export async function brokenKey(db: Db, error: ViolationError): Promise<BrokenKey | undefined> {
  const { rows } = await sql<{ column: string; target: string }>`
    select a.attname as column, t.relname as target
    from pg_constraint k
      join pg_class s on s.oid = k.conrelid join pg_namespace n on n.oid = s.relnamespace
      join pg_class t on t.oid = k.confrelid
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.conname = ${error.constraint_name}
      and s.relname = ${error.table_name} and n.nspname = ${error.schema_name}`.execute(db);
  const [key] = rows;
  return key && { ...key, missing: error.detail?.includes(`(${key.column})=`) ?? false };
}
