import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { changed } from '#server/db/rows.ts';
import { Refusal } from '#server/refusal.ts';

interface Moments {
  /** Whether the wanted moment is over. */
  readonly isPast: boolean | null;
  /** Whether the exclusion that stands still runs, and whether it goes on longer than is wanted. */
  readonly runs: boolean | null;
  readonly isLonger: boolean | null;
}

async function compare(db: Db, stands: string | null, wanted: string | null): Promise<Moments> {
  const { rows } = await sql<Moments>`
    select wanted <= clock_timestamp() as "isPast", stands > clock_timestamp() as runs, stands > wanted as "isLonger"
    from (select ${stands}::timestamptz as stands, ${wanted}::timestamptz as wanted) as moments`.execute(db);
  return rows[0] ?? { isPast: null, runs: null, isLonger: null };
}

/** What keeps a player from betting and paying in; nothing where there is no such player. */
export const findKeptFrom = (db: Db, id: number) =>
  db.selectFrom('player').select(['frozen', 'excludedUntil']).where('id', '=', id).executeTakeFirst();

/**
 * Waits for whoever places an order to pay in or a bet of this player, and keeps others from it until the transaction ends: they look at the
 * player while they hold what is taken here.
 */
export async function awaitOrdersAndBets(tx: Db, userId: number): Promise<void> {
  await sql`select deposits_one_by_one(${userId})`.execute(tx);
  await sql`select from account where "userId" = ${userId} for no key update`.execute(tx);
}

/** Keeps a player from betting and paying in until a moment to come, or longer than so far. Throws `Refusal`. */
export async function exclude(tx: Db, id: number, excludedUntil: string): Promise<void> {
  await changed(tx, 'player', { id }, async ({ excludedUntil: until }) => {
    const { isPast, runs, isLonger } = await compare(tx, until, excludedUntil);
    if (runs && isLonger)
      throw new Refusal('exclusionShortened', { field: 'excludedUntil', values: { until: until ?? '' } });
    if (isPast) throw new Refusal('exclusionPast', { field: 'excludedUntil' });
    return { excludedUntil };
  });
  await awaitOrdersAndBets(tx, id);
}

/** Forgets an exclusion that is over. Throws `exclusionRunning` and `notExcluded`. */
export async function forgetExclusion(tx: Db, id: number): Promise<void> {
  await changed(tx, 'player', { id }, async ({ excludedUntil: until }) => {
    if (until === null) throw new Refusal('notExcluded', { field: 'userId' });
    const { runs } = await compare(tx, until, null);
    if (runs) throw new Refusal('exclusionRunning', { field: 'userId', values: { until } });
    return { excludedUntil: null };
  });
}
