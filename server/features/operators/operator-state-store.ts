import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** Lets an operator sign in or not; false when it was so already. */
export async function setDisabled(db: Db, id: number, disabled: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('operator')
    .set({ disabled, editDate: sql`now()` })
    .where('id', '=', id)
    .where('disabled', '!=', disabled)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Gives an operator a password that they must change first of all. */
export async function giveTemporaryPassword(db: Db, id: number, passwordHash: string): Promise<void> {
  await db
    .updateTable('operator')
    .set({ passwordHash, passwordTemporary: true, editDate: sql`now()` })
    .where('id', '=', id)
    .execute();
}
