import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { metaOf } from '#contract/fields.ts';

/** The word of a code that stands in a column, as the contract has it. */
export function wordIn(column: RawBuilder<unknown>, choice: z.ZodType): RawBuilder<string | null> {
  const words = Object.entries(metaOf(choice).choices ?? {}).map(
    ([code, word]) => sql`when ${code} then ${word}`,
  );
  return sql`case ${column} ${sql.join(words, sql` `)} end`;
}
