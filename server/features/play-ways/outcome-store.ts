import type { Db } from '#server/db/database.ts';

/** What a unit of several numbers can win, and at which odds. */
export interface OutcomeOdds {
  readonly name: string;
  readonly odds: string;
}

/** The outcomes of these play ways, each play way's in their order. */
export async function outcomesOf(db: Db, playWayIds: readonly number[]): Promise<Map<number, OutcomeOdds[]>> {
  if (playWayIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('outcome_odds')
    .select(['playWayId', 'name', 'odds'])
    .where('playWayId', 'in', playWayIds)
    .orderBy('id')
    .execute();
  const byPlayWay = Map.groupBy(rows, ({ playWayId }) => playWayId);
  return new Map(
    [...byPlayWay].map(([id, all]) => [id, all.map(({ name, odds }) => ({ name, odds }))] as const),
  );
}

/** The outcomes of one play way, in their order. */
export const listOutcomes = async (db: Db, playWayId: number): Promise<OutcomeOdds[]> =>
  (await outcomesOf(db, [playWayId])).get(playWayId) ?? [];

/** Makes these the outcomes of a play way. */
export async function replaceOutcomes(
  db: Db,
  playWayId: number,
  outcomes: readonly OutcomeOdds[],
): Promise<void> {
  await db.deleteFrom('outcome_odds').where('playWayId', '=', playWayId).execute();
  await insertOutcomes(
    db,
    outcomes.map(({ name, odds }) => ({ playWayId, name, odds })),
  );
}

/** Adds outcomes of several play ways, in their order. */
export async function insertOutcomes(
  db: Db,
  rows: readonly (OutcomeOdds & { readonly playWayId: number })[],
): Promise<void> {
  if (rows.length > 0) await db.insertInto('outcome_odds').values(rows).execute();
}
