import { type ColumnType, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

declare module '#server/db/database.ts' {
  interface Tables {
    sign_in_failure: {
      kind: 'account' | 'address';
      subject: string;
      count: number;
      blockedUntil: ColumnType<string | null, unknown, unknown>;
      updateTime: ColumnType<string, unknown, unknown>;
    };
  }
}

const ALLOWED_FAILURES = 5;
const FIRST_WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 3_600;

const ALLOWED_ADDRESS_FAILURES = 20;
const LONGEST_DELAY_MS = 500;

/** Seconds an account is closed after its n-th failure in a row: none, then 30 s doubling up to an hour. */
export function waitSeconds(failures: number): number {
  if (failures < ALLOWED_FAILURES) return 0;
  return Math.min(FIRST_WAIT_SECONDS * 2 ** (failures - ALLOWED_FAILURES), LONGEST_WAIT_SECONDS);
}

/** Milliseconds every answer to an address is held back after its n-th failure. */
export function delayMs(failures: number): number {
  return failures < ALLOWED_ADDRESS_FAILURES
    ? 0
    : Math.min(50 * 2 ** (failures - ALLOWED_ADDRESS_FAILURES), LONGEST_DELAY_MS);
}

/** Puts the sign-ins of one account in line, whether it exists or not, until the transaction ends. */
export async function lockAccount(tx: Db, account: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sign-in:${account}`}, 0))`.execute(tx);
}

/** Whole seconds for which an account stays closed; 0 when it is open. */
export async function secondsClosed(tx: Db, account: string): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from "blockedUntil" - now()))::int as seconds from sign_in_failure
    where kind = 'account' and subject = ${account} and "blockedUntil" > now()`.execute(tx);
  return rows[0]?.seconds ?? 0;
}

/** Failures of an address within the last quarter of an hour. */
export async function addressFailures(db: Db, address: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count from sign_in_failure
    where kind = 'address' and subject = ${address} and "updateTime" > now() - interval '15 minutes'`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

async function count(tx: Db, kind: 'account' | 'address', subject: string): Promise<number> {
  // A day without a failure forgets the earlier ones, for addresses a quarter of an hour.
  const memory = kind === 'account' ? '1 day' : '15 minutes';
  const { rows } = await sql<{ count: number }>`
    insert into sign_in_failure (kind, subject, count) values (${kind}, ${subject}, 1)
    on conflict (kind, subject) do update set "updateTime" = now(),
      count = case when sign_in_failure."updateTime" < now() - ${memory}::interval then 1 else sign_in_failure.count + 1 end
    returning count`.execute(tx);
  return rows[0]?.count ?? 1;
}

/** Counts a failure of both, closes the account when it is due, and sweeps what is long over. */
export async function recordFailure(tx: Db, account: string, address: string): Promise<void> {
  const wait = waitSeconds(await count(tx, 'account', account));
  if (wait > 0) {
    await tx
      .updateTable('sign_in_failure')
      .set({ blockedUntil: sql`now() + make_interval(secs => ${wait})` })
      .where('kind', '=', 'account')
      .where('subject', '=', account)
      .execute();
  }
  await count(tx, 'address', address);
  await tx
    .deleteFrom('sign_in_failure')
    .where('updateTime', '<', sql<string>`now() - interval '2 days'`)
    .execute();
}

/** A success ends the row of failures of the account; the address keeps its own, lest one good account clear it. */
export async function forgetFailures(tx: Db, account: string): Promise<void> {
  await tx
    .deleteFrom('sign_in_failure')
    .where('kind', '=', 'account')
    .where('subject', '=', account)
    .execute();
}
