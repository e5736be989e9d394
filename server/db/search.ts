import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';

const literally = (part: string): string => part.replace(/[\\%_]/g, '\\$&');

/** A LIKE pattern for a part of a text, taken literally. */
export const containing = (part: string): string => `%${literally(part)}%`;

/** A LIKE pattern for the beginning of a text, taken literally. */
export const beginning = (part: string): string => `${literally(part)}%`;

/** Whether a moment lies within a search range, both ends inclusive to the second. */
export const within = (
  column: string,
  [from, to]: readonly [string, string],
): Expression<SqlBool> & RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} >= ${from}::timestamptz and ${sql.ref(column)} < ${to}::timestamptz + interval '1 second'`;

/** The same, written so that no index on the time is used: the rows are read in the order of their ids from a bound on. */
export const withinByIds = (column: string, [from, to]: readonly [string, string]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} + interval '0' >= ${from}::timestamptz
    and ${sql.ref(column)} + interval '0' < ${to}::timestamptz + interval '1 second'`;
