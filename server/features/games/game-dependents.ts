import { sql } from 'kysely';
import type { GameDependents } from '#contract/games.ts';
import type { Db } from '#server/db/database.ts';

type Counts = Omit<GameDependents, 'begun'>;

const counted: Readonly<Record<keyof Counts, string>> = {
  numbers: 'game_number',
  betLatitudes: 'bet_latitude',
  playWays: 'play_way',
  plans: 'draw_plan',
  records: 'draw_record',
  spiders: 'spider',
};

/** Counts what would go with a game. */
export async function countDependents(db: Db, gameId: number): Promise<Counts> {
  const counts = { numbers: 0, betLatitudes: 0, playWays: 0, plans: 0, records: 0, spiders: 0 };
  for (const [name, table] of Object.entries(counted)) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(table)} where "gameId" = ${gameId}`.execute(db);
    Object.assign(counts, { [name]: rows[0]?.n ?? 0 });
  }
  return counts;
}

/** Whether a game has plans that players may have staked money on, as betting on them has begun, or that were drawn. */
export async function hasBegunPlans(db: Db, gameId: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from draw_plan where "gameId" = ${gameId}
      and (status <> 'WAITTING' or "startTime" <= ${now}::timestamptz) limit 1`.execute(db);
  return rows.length > 0;
}

/** Deletes what hangs from a game and does not go with its row by itself, its schedule and its collectors included. */
export async function deletePartsOf(db: Db, gameId: number): Promise<void> {
  const own = sql`"gameId" = ${gameId}`;
  await sql`delete from odds using play_way p where p.id = odds."playWayId" and p.${own}`.execute(db);
  for (const table of ['play_way', 'draw_plan', 'spider'])
    await sql`delete from ${sql.table(table)} where ${own}`.execute(db);
  await sql`delete from play_way_category where ${own} and "parentCategoryId" is not null`.execute(db);
}
