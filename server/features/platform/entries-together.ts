import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { type Entry, type Posted, postAll, postForeign } from '../ledger/ledger-store.ts';

const keyOf = ({ changeType, bizOrderNo }: Pick<Entry, 'changeType' | 'bizOrderNo'>): string =>
  `${changeType}/${bizOrderNo}`;

/** The place of the first of these that cannot be posted, by posting those that are new once more; it stays for the caller to undo that. */
async function placeRefused(db: Db, entries: readonly Entry[]): Promise<number | undefined> {
  const users = entries.map(({ userId }) => userId);
  // Whoever posts the same numbers at once is done before they are looked for.
  await sql`select from account where "userId" = any(${users}::bigint[]) order by "userId" for no key update`.execute(
    db,
  );
  const { rows } = await sql<Pick<Entry, 'changeType' | 'bizOrderNo'>>`
    select "changeType", "bizOrderNo" from account_history
    where "bizOrderNo" = any(${entries.map(({ bizOrderNo }) => bizOrderNo)}::text[])`.execute(db);
  const seen = new Set(rows.map(keyOf));
  const fresh = [...entries.entries()].filter(([, entry]) => {
    const isFresh = !seen.has(keyOf(entry));
    seen.add(keyOf(entry));
    return isFresh;
  });
  const posted = await postAll(
    db,
    fresh.map(([, entry]) => entry),
    { standAlone: true },
  );
  return fresh[posted.findIndex(({ problem }) => problem !== null)]?.[0];
}

/** As `postForeign`; of several entries it is told which one is refused. */
export async function postTogether(db: Db, entries: readonly Entry[]): Promise<Posted[]> {
  if (entries.length === 1) return postForeign(db, entries);
  await sql`savepoint entries`.execute(db);
  try {
    return await postForeign(db, entries);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await sql`rollback to savepoint entries`.execute(db);
    const place = await placeRefused(db, entries);
    if (place === undefined) throw error;
    const values = { place: place + 1, number: entries[place]?.bizOrderNo ?? '', problem: error.message };
    throw new Refusal('entryRefused', { values });
  }
}
