import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** What failures in a row are counted of: sign-ins to an account name or from a place, wrong passwords or codes of who is signed in. */
type Kind = 'account' | 'address' | 'password' | 'code';

const ALLOWED_FAILURES = 5;
const FIRST_WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 3_600;

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 4_000;
/** Whoever would wait longer for their turn is sent away. A stop of the server waits for those in line. */
const LONGEST_LINE_MS = 5_000;

/** Seconds an account is closed after its n-th failure in a row: none, then 30 s doubling up to an hour. */
export function waitSeconds(failures: number): number {
  if (failures < ALLOWED_FAILURES) return 0;
  return Math.min(FIRST_WAIT_SECONDS * 2 ** (failures - ALLOWED_FAILURES), LONGEST_WAIT_SECONDS);
}

/** Milliseconds between the tries of an address after its n-th failure: none, then half a second doubling up to four. */
export function delayMs(failures: number): number {
  if (failures < ALLOWED_FAILURES) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - ALLOWED_FAILURES), LONGEST_DELAY_MS);
}

// A day without a failure forgets the earlier ones, for addresses a quarter of an hour.
const memoryOf = (kind: Kind) => (kind === 'address' ? sql`interval '15 minutes'` : sql`interval '1 day'`);

/** Puts the tries of one account, place or operator in line until the transaction ends, whether it exists or not. */
export async function lock(tx: Db, kind: Kind, subject: string): Promise<void> {
  const name = kind === 'account' ? `sign-in:${subject}` : `sign-in:${kind}:${subject}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Whole seconds for which an account or an operator's password change stays closed; 0 when it is open. */
export async function secondsClosed(
  db: Db,
  kind: Exclude<Kind, 'address'>,
  subject: string,
): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from "blockedUntil" - clock_timestamp()))::int as seconds from sign_in_failure
    where kind = ${kind} and subject = ${subject} and "blockedUntil" > clock_timestamp()`.execute(db);
  return rows[0]?.seconds ?? 0;
}

/** Whether an address has failed so often that its tries go one after the other. */
export async function isSlowed(db: Db, address: string): Promise<boolean> {
  const { rows } = await sql`
    select from sign_in_failure where kind = 'address' and subject = ${address} and count >= ${ALLOWED_FAILURES}
      and "updateTime" > now() - ${memoryOf('address')}`.execute(db);
  return rows.length > 0;
}

/** When a try of a slowed address may begin. */
export interface Turn {
  readonly waitMs: number;
  /** The line is too long for one more: this try has no place in it. */
  readonly tooLong: boolean;
}

/**
 * Gives a try of a slowed address its place in the line, which all servers share: each begins a delay after the one before, and
 * the delay grows with every try. It counts as a failure at once, see `giveBackTry`. Nothing when the address is not slowed.
 */
export async function takeTurn(db: Db, address: string): Promise<Turn | undefined> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ count: number; lineMs: number }>`
      select count, greatest(0, coalesce(extract(epoch from "blockedUntil" - clock_timestamp()) * 1000, 0))::int as "lineMs"
      from sign_in_failure where kind = 'address' and subject = ${address} and count >= ${ALLOWED_FAILURES}
        and "updateTime" > now() - ${memoryOf('address')} for update`.execute(tx);
    const line = rows[0];
    if (!line) return undefined;
    const waitMs = line.lineMs + delayMs(line.count);
    if (waitMs > LONGEST_LINE_MS) return { waitMs, tooLong: true };
    await sql`
      update sign_in_failure set count = count + 1, "updateTime" = clock_timestamp(),
        "blockedUntil" = clock_timestamp() + make_interval(secs => ${waitMs / 1_000})
      where kind = 'address' and subject = ${address}`.execute(tx);
    return { waitMs, tooLong: false };
  });
}

/** Takes back what `takeTurn` counted beforehand: the try was no failure. */
export async function giveBackTry(tx: Db, address: string): Promise<void> {
  await sql`
    update sign_in_failure set count = greatest(0, count - 1)
    where kind = 'address' and subject = ${address}`.execute(tx);
}

async function count(tx: Db, kind: Kind, subject: string, address: string | null = null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    insert into sign_in_failure (kind, subject, count, address) values (${kind}, ${subject}, 1, ${address})
    on conflict (kind, subject) do update set "updateTime" = now(), address = excluded.address,
      count = case when sign_in_failure."updateTime" < now() - ${memoryOf(kind)} then 1 else sign_in_failure.count + 1 end
    returning count`.execute(tx);
  return rows[0]?.count ?? 1;
}

/** Counts a failure of an account or an operator, sweeps what is long over, and gives the seconds for which this failure closes it. */
export async function recordFailure(
  tx: Db,
  kind: Exclude<Kind, 'address'>,
  subject: string,
  address: string,
): Promise<number> {
  const wait = waitSeconds(await count(tx, kind, subject, address));
  if (wait > 0)
    await sql`
      update sign_in_failure set "blockedUntil" = clock_timestamp() + make_interval(secs => ${wait})
      where kind = ${kind} and subject = ${subject}`.execute(tx);
  await sql`delete from sign_in_failure where "updateTime" < now() - interval '2 days'`.execute(tx);
  return wait;
}

/** Counts a failure of an address that was not in the line when it began. */
export async function recordAddressFailure(tx: Db, address: string): Promise<void> {
  await count(tx, 'address', address);
}

/** A success ends the row of failures; an address keeps its own, lest one good account clear it. */
export async function forgetFailures(tx: Db, kind: Exclude<Kind, 'address'>, subject: string): Promise<void> {
  await sql`delete from sign_in_failure where kind = ${kind} and subject = ${subject}`.execute(tx);
}
