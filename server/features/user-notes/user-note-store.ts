import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { pageUserNotes as asked, UserNote } from '#contract/user-notes.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { page } from '#server/db/page.ts';
import type { Row } from '#server/db/rows.ts';
import { contains, equals, where } from '#server/db/where.ts';

/** A note as an operator sees it. */
export const shownTo = ({ id }: SignedIn, { authorId, ...note }: Row<'user_note'>): UserNote => ({
  ...note,
  own: authorId === id,
});

/** Notes of players: those that are pinned first, then the newest. */
export async function pageUserNotes(db: Db, operator: SignedIn, filter: Input<typeof asked>) {
  const wanted = where(filter, { userId: equals, note: contains, author: contains });
  const notes = db.selectFrom('user_note').selectAll().where(wanted);
  const { totalCount, data } = await page(db, notes, filter, sql`pinned desc, id desc`);
  return { totalCount, data: data.map((note) => shownTo(operator, note)) };
}

/** So many notes stand above a player's lists. */
const MOST_PINNED = 5;

/** The notes of a player that are pinned, the newest first. */
export async function pinnedNotes(db: Db, operator: SignedIn, userId: number): Promise<UserNote[]> {
  const notes = await db
    .selectFrom('user_note')
    .selectAll()
    .where('userId', '=', userId)
    .where('pinned', '=', true)
    .orderBy('id', 'desc')
    .limit(MOST_PINNED)
    .execute();
  return notes.map((note) => shownTo(operator, note));
}
