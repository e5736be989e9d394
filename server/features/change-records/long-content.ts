import { type RawBuilder, sql } from 'kysely';

/** So much of a column goes with a page of a list; of a longer one the page says that there is more, which its row has by itself. */
const MOST_IN_A_LIST = 8_000;
const LEFT_OUT = '内容较长，列表中省略，按编号查看全文';

type Column = 'input' | 'before' | 'after' | 'access';

/** What is kept compressed and is long even so need not be read to know that it is long. */
const isLong = (column: Column): RawBuilder<boolean> => sql<boolean>`
  case when pg_column_size(${sql.ref(column)}) > ${sql.lit(MOST_IN_A_LIST)} then true
    else coalesce(length(${sql.ref(column)}::text) > ${sql.lit(MOST_IN_A_LIST)}, false) end`;

/** A column as a list has it. */
export const inList = (column: Column, leftOut: unknown = LEFT_OUT) =>
  sql<unknown>`case when ${isLong(column)} then ${sql.lit(JSON.stringify(leftOut))}::jsonb else ${sql.ref(column)} end`;

/** Whether a list leaves something out. */
export const isShortened = (columns: readonly Column[]) =>
  sql<boolean>`(${sql.join(columns.map(isLong), sql` or `)})`;
