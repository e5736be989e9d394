import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { dueAt } from '#server/db/due-at.ts';
import type { Day } from '#server/platform-days.ts';
import { type BetsProof, proveBets } from './prove-bets.ts';

const MOST_KEPT = 50;
/** Longer than any proof goes on without a word: whoever took one and has said nothing since is gone. */
const GIVEN_UP = sql`interval '6 hours'`;
/** Whoever takes hours says so every few minutes. */
const WORD_MS = 5 * 60_000;
/** At four in the morning, by the platform's zone. */
const EARLIEST = sql`interval '4 hours'`;

const isFree = sql`not exists (
  select from bets_proof b where b.day = current_date
    and (b."endTime" is not null or b."startTime" > clock_timestamp() - ${GIVEN_UP}))`;

/** When today's proof is due, in epoch milliseconds; nothing once somebody has taken it. */
export const nextProof = (db: Db): Promise<number | undefined> =>
  dueAt(db, sql`select (current_date + ${EARLIEST})::timestamptz where ${isFree}`);

/** Takes today's proof upon this server; tells the day, which may be over when the proof ends. */
async function take(db: Db): Promise<Day | undefined> {
  const { rows } = await sql<{ day: Day }>`
    insert into bets_proof (day) select current_date where ${isFree}
    on conflict (day) do update set "startTime" = clock_timestamp() where bets_proof."endTime" is null and bets_proof."startTime" <= clock_timestamp() - ${GIVEN_UP}
    returning day::text`.execute(db);
  return rows[0]?.day;
}

/** Says every few minutes that the proof of a day goes on, so that no other server begins it. */
function goingOn(db: Db, day: Day, wordMs: number): () => Promise<void> {
  let said = performance.now();
  return async () => {
    if (performance.now() - said < wordMs) return;
    said = performance.now();
    await sql`update bets_proof set "startTime" = clock_timestamp() where day = ${day}::date`.execute(db);
  };
}

/** Proves all bets, unless another server does so today. What it finds is kept; one that fails is due again. */
export async function proveToday(db: Db, wordMs = WORD_MS): Promise<BetsProof | undefined> {
  const day = await take(db);
  if (day === undefined) return undefined;
  const proof = await proveBets(db, goingOn(db, day, wordMs)).catch(async (error: unknown) => {
    await sql`delete from bets_proof where day = ${day}::date and "endTime" is null`
      .execute(db)
      .catch(() => {});
    throw error;
  });
  const problems = proof.breaks
    .slice(0, MOST_KEPT)
    .map(({ slipId, problem }) => `注单 ${slipId}：${problem}`);
  await sql`
    update bets_proof set "endTime" = clock_timestamp(), slips = ${proof.slips}, broken = ${proof.broken}, problems = ${problems}::text[]
    where day = ${day}::date`.execute(db);
  return proof;
}

/** How many things were wrong when bets were last proven. */
export async function lastBroken(db: Db): Promise<number> {
  const row = await db
    .selectFrom('bets_proof')
    .select('broken')
    .where('broken', 'is not', null)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.broken ?? 0;
}
