import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { ownerOf } from './owner-of.ts';

/** For tests that travel ahead: in their database plans open before their time by its clock. */
export async function allowEarlyDraws(db: Db): Promise<void> {
  for (const trigger of ['draw_plan_due', 'draw_plan_made_due'])
    await sql`alter table draw_plan disable trigger ${sql.id(trigger)}`.execute(ownerOf(db));
}

/** For tests that promise by hand: the game counts as one that has always drawn by itself, though it has no spider. */
export const allowPromises = (db: Db, gameId: number) =>
  sql`insert into local_game ("gameId", since) values (${gameId}, '-infinity')`.execute(db);
