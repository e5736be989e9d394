import { type Insertable, type Kysely, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { Refusal } from '#server/refusal.ts';
import type { Db, Tables } from './database.ts';

/** The tables whose rows have an id. */
type RowTable = {
  [T in keyof Tables]: Selectable<Tables[T]> extends { id: number } ? T : never;
}[keyof Tables];
/** The tables whose rows have a version; see `grow_version` in schema.sql. */
export type VersionedTable = {
  [T in RowTable]: Selectable<Tables[T]> extends { version: number } ? T : never;
}[RowTable];

/** A row as the database holds it. */
export type Row<T extends RowTable> = Selectable<Tables[T]>;
/** What to set; the version grows by itself. */
export type Changes<T extends RowTable> = {
  [C in Exclude<keyof Updateable<Tables[T]>, 'version'>]?: Updateable<Tables[T]>[C] | RawBuilder<unknown>;
};

/** A row, and the version it was seen in; without a version, whichever it has. */
interface Target {
  readonly id: number;
  readonly version?: number | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** How one row changed: `before` is missing for an added row, `after` for a removed one. */
export interface RowNote {
  readonly table: string;
  readonly id: number;
  readonly before?: Fields | undefined;
  readonly after?: Fields | undefined;
  /** The columns that were written; of an added row, those not left to the database. */
  readonly given?: readonly string[] | undefined;
}

/**
 * Columns that no operator edits: secrets, and what the program itself keeps on the row. They are not noted and do not grow the version;
 * the triggers of `grow_version` name the same columns.
 */
export const unseen: Readonly<Record<string, readonly string[]>> = {
  operator: [
    ...['passwordHash', 'checkedHash', 'googleSecret', 'googleSteps'],
    ...['lastLoginTime', 'lastLoginAddress'],
  ],
  mail_config: ['password'],
  spider: [
    ...['lastRunTime', 'lastSuccessTime', 'lastError', 'consecutiveFailures', 'answering'],
    ...['nextRunTime', 'askedTime', 'host'],
  ],
};

/**
 * Columns that say how far a row had come by the moment it is changed. They are noted like others, and are no part of what two runs of a call
 * are compared by: the second comes later.
 */
export const timely: Readonly<Record<string, readonly string[]>> = { game: ['phase', 'phaseTime'] };

const notesOf = new WeakMap<Db, RowNote[]>();

/** From now on notes the rows that are added, changed and removed through this transaction. */
export function watched(tx: Db): readonly RowNote[] {
  const notes: RowNote[] = [];
  notesOf.set(tx, notes);
  return notes;
}

function seen(table: string, row: Fields | undefined): Fields | undefined {
  const hidden = unseen[table] ?? [];
  return row && Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name)));
}

/** Notes a change. A row that changes twice has one note, from its first state to its last. */
function note(
  db: Db,
  table: string,
  before: Fields | undefined,
  after: Fields | undefined,
  given: readonly string[] = [],
): void {
  const notes = notesOf.get(db);
  const id = Number((after ?? before)?.id);
  if (!notes) return;
  const place = notes.findIndex((known) => known.table === table && known.id === id);
  const known = notes[place];
  const whole = {
    ...{ table, id, after: seen(table, after), before: known ? known.before : seen(table, before) },
    given: [...new Set([...(known?.given ?? []), ...given])],
  };
  if (known) notes[place] = whole;
  else notes.push(whole);
}

/** All tables have one type here: the compiler cannot follow a statement on any of them. */
type AnyRow = { id: number; version: number };
const anyTable = 'any';
const loosely = (db: Db) => db as unknown as Kysely<{ [anyTable]: AnyRow }>;
const named = (table: string) => table as typeof anyTable;

const strengths = { change: sql`for no key update`, removal: sql`for update` } as const;

/** Locks a row: until the transaction ends nobody else changes or removes it. Throws `recordNotFound`. */
export async function locked<T extends RowTable>(
  db: Db,
  table: T,
  id: number,
  purpose: keyof typeof strengths = 'change',
): Promise<Row<T>> {
  const { rows } = await sql<Row<T>>`
    select * from ${sql.table(table)} where id = ${id} ${strengths[purpose]}`.execute(db);
  const [row] = rows;
  if (!row) throw new Refusal('recordNotFound');
  return row;
}

/** Whether there is a row for each of these ids, none of which is given twice. */
export async function rowsExist(db: Db, table: RowTable, ids: readonly number[]): Promise<boolean> {
  const { rows } =
    await sql`select id from ${sql.table(table)} where id = any(${[...ids]}::bigint[])`.execute(db);
  return rows.length === ids.length;
}

const inserting = <T extends RowTable>(db: Db, table: T, rows: readonly Insertable<Tables[T]>[]) =>
  loosely(db)
    .insertInto(named(table))
    .values(rows as readonly object[] as readonly AnyRow[]);

/** Adds a row and notes it. */
export async function added<T extends RowTable>(
  db: Db,
  table: T,
  fields: Insertable<Tables[T]>,
): Promise<Row<T>> {
  const row = await inserting(db, table, [fields]).returningAll().executeTakeFirstOrThrow();
  note(db, table, undefined, row, Object.keys(fields));
  return row as object as Row<T>;
}

/** Adds and notes those of these rows that violate no unique constraint; gives the added ones. */
export async function addedWhereFree<T extends RowTable>(
  db: Db,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<Row<T>[]> {
  const insert = inserting(db, table, rows).onConflict((conflict) => conflict.doNothing());
  const made = await insert.returningAll().execute();
  const given = rows.flatMap((row) => Object.keys(row));
  for (const row of made) note(db, table, undefined, row, given);
  return made as object[] as Row<T>[];
}

/**
 * Changes a row and notes what it was and is. `changes` may be a function of the locked row. Throws `recordNotFound`; and `stale` when the row
 * has another version than `target` says, with the current row as `shown` gives it, for callers who know it with more than its columns.
 */
export async function changed<T extends VersionedTable>(
  db: Db,
  table: T,
  { id, version }: Target,
  changes: Changes<T> | ((before: Row<T>) => Changes<T> | Promise<Changes<T>>),
  shown: (row: Row<T>) => object | Promise<object> = (row) => row,
): Promise<Row<T>> {
  const before = await locked(db, table, id);
  if (version !== undefined && version !== (before as AnyRow).version)
    throw new Refusal('stale', { current: await shown(before) });
  const set = typeof changes === 'function' ? await changes(before) : changes;
  const update = loosely(db)
    .updateTable(named(table))
    .set(set as object)
    .where('id', '=', id);
  const after = await update.returningAll().executeTakeFirstOrThrow();
  note(db, table, before as Fields, after, Object.keys(set));
  return after as object as Row<T>;
}

/** Removes a row and notes what it was. `check` may refuse, by the locked row. Throws `recordNotFound`. */
export async function removed<T extends RowTable>(
  db: Db,
  table: T,
  id: number,
  check?: (before: Row<T>) => void | Promise<void>,
): Promise<Row<T>> {
  const before = await locked(db, table, id, 'removal');
  await check?.(before);
  await loosely(db).deleteFrom(named(table)).where('id', '=', id).execute();
  note(db, table, before as Fields, undefined);
  return before;
}
