import type { Language } from '#contract/language.ts';
import type { Db } from '#server/db/database.ts';

/** The language an operator has chosen; nothing where they never have. */
export async function findLanguage(db: Db, operatorId: number): Promise<Language | undefined> {
  const row = await db
    .selectFrom('operator_language')
    .select('language')
    .where('operatorId', '=', operatorId)
    .executeTakeFirst();
  return row?.language;
}

/** Keeps the language an operator has chosen. */
export async function keepLanguage(db: Db, operatorId: number, language: Language): Promise<void> {
  await db
    .insertInto('operator_language')
    .values({ operatorId, language })
    .onConflict((taken) => taken.column('operatorId').doUpdateSet({ language }))
    .execute();
}
