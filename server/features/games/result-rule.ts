import type { ResultRule } from '#contract/result-rules.ts';
import type { Db } from '#server/db/database.ts';

/** A rule as it is kept: one without parts says nothing, and is none. Undefined where nothing was said of it. */
export const keptRule = (given: ResultRule | undefined): ResultRule | null | undefined =>
  given?.parts.length === 0 ? null : given;

/** As `resultRuleOf`, and until the transaction ends nobody changes it. */
export async function holdResultRule(db: Db, gameId: number): Promise<ResultRule | null> {
  const game = db.selectFrom('game').select('resultRule').where('id', '=', gameId);
  return (await game.forShare().executeTakeFirst())?.resultRule ?? null;
}

/** What a result of a game is; null where anything is taken for one. */
export async function resultRuleOf(db: Db, gameId: number): Promise<ResultRule | null> {
  const row = await db.selectFrom('game').select('resultRule').where('id', '=', gameId).executeTakeFirst();
  return row?.resultRule ?? null;
}

/** The options by which a game draws by itself now. */
export async function localDrawOptions(db: Db, gameId: number): Promise<(string | null)[]> {
  const spiders = db.selectFrom('spider').select('options').where('gameId', '=', gameId);
  const drawing = spiders.where('spiderServiceName', '=', 'LocalDrawSpider').where('enabled', '=', true);
  const rows = await drawing.execute();
  return rows.map(({ options }) => options);
}
