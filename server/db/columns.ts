import type { ColumnType } from 'kysely';

/** A timestamptz: read as wire text, written as such text or a Date. */
export type Moment = ColumnType<string, string | Date, string | Date>;

/** A jsonb: what is read has to be checked. */
export type Json = ColumnType<unknown, NonNullable<unknown>, NonNullable<unknown>>;

/** A jsonb that only holds this type, since every write to it is checked. */
export type JsonOf<T extends NonNullable<unknown>> = ColumnType<T, T, T>;

/** Filled by the database unless a value is given. */
export type Defaulted<T> =
  T extends ColumnType<infer Read, infer Added, infer Changed>
    ? ColumnType<Read, Added | undefined, Changed>
    : ColumnType<T, T | undefined, T>;
