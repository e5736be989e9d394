import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { SignIn, Token } from '#contract/sign-in.ts';
import type { Db } from '#server/db/database.ts';
import { readParam } from '#server/params/read-param.ts';
import type { Vault } from '#server/vault.ts';

const ACCESS_SECONDS = 15 * 60;
const REFRESH_SECONDS = 7 * 24 * 60 * 60;
/** How long a spent refresh token still gives what it gave: whoever waits for an answer that was lost gives up after 15 s, and then asks again. */
const GRACE_SECONDS = 30;
// 256 random bits; only the SHA-256 is kept, so a stolen database opens no session.
const newToken = (): string => randomBytes(32).toString('base64url');
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
const inSeconds = (seconds: number) => sql<string>`now() + make_interval(secs => ${seconds})`;

/** What opens the console for a quarter of an hour, and what it is renewed with. */
interface Pair {
  access: string;
  refresh: string;
}

/** How long an access token still opens something. */
const secondsLeft = sql<number>`floor(extract(epoch from "expireTime" - now()))::int`.as('seconds');

const tokenOf = (sessionId: string, { access, refresh }: Pair, seconds: number): Token => ({
  access_token: access,
  token_type: 'bearer',
  refresh_token: refresh,
  expires_in: seconds,
  scope: 'console',
  jti: sessionId,
});

/** When a session ends however often it is renewed: a while after its sign-in, or never. Of the session in the query's `s`. */
export async function endOfSession(db: Db) {
  const days = await readParam(db, 'security.sessionDays');
  return days === 0
    ? sql<string>`'infinity'::timestamptz`
    : sql<string>`s."createTime" + make_interval(hours => ${days * 24})`;
}

/** Adds a pair to a session; neither token outlives it. */
async function issue(db: Db, sessionId: string, pair: Pair): Promise<Token> {
  const end = await endOfSession(db);
  const until = (seconds: number) => sql<string>`(
    select least(${inSeconds(seconds)}, ${end}) from session s where s.id = ${sessionId})`;
  const { seconds } = await db
    .insertInto('access_token')
    .values({ hash: hashOf(pair.access), sessionId, expireTime: until(ACCESS_SECONDS) })
    .returning(secondsLeft)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('refresh_token')
    .values({ hash: hashOf(pair.refresh), sessionId, expireTime: until(REFRESH_SECONDS) })
    .execute();
  return tokenOf(sessionId, pair, seconds);
}

/** A pair that was given before, as long as it lasts now. */
async function issuedBefore(db: Db, sessionId: string, pair: Pair): Promise<Token> {
  const access = db.selectFrom('access_token').where('hash', '=', hashOf(pair.access));
  const row = await access.select(secondsLeft).executeTakeFirst();
  return tokenOf(sessionId, pair, row?.seconds ?? 0);
}

/** Opens a session and its first pair of tokens; takes the chance to sweep this operator's dead sessions away. */
export async function openSession(
  db: Db,
  operatorId: number,
  from: { address: string; agent: string },
): Promise<Token> {
  await db
    .deleteFrom('session')
    .where('operatorId', '=', operatorId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('refresh_token')
            .select('hash')
            .whereRef('refresh_token.sessionId', '=', 'session.id')
            .where('expireTime', '>', sql<string>`now()`),
        ),
      ),
    )
    .execute();
  const id = randomUUID();
  await db
    .insertInto('session')
    .values({ id, operatorId, ...from })
    .execute();
  return issue(db, id, { access: newToken(), refresh: newToken() });
}

/**
 * The pair that follows a refresh token. It is worked out of the spent token and APP_SECRET instead of drawn, so that the
 * same pair can be given twice though the database keeps hashes only.
 */
export function successorsOf({ fingerprint }: Vault, spent: string): Pair {
  const follow = (kind: string) => fingerprint(`${kind} token after ${spent}`).toString('base64url');
  return { access: follow('access'), refresh: follow('refresh') };
}

/** Whether nobody has gone on from this refresh token yet. */
async function isUnspent(db: Db, refresh: string): Promise<boolean> {
  const row = await db
    .selectFrom('refresh_token')
    .select('hash')
    .where('hash', '=', hashOf(refresh))
    .where('spendTime', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The refresh token as kept, locked, while its session lives. */
const findRefreshToken = async (db: Db, refreshToken: string) =>
  db
    .selectFrom('refresh_token as t')
    .innerJoin('session as s', 's.id', 't.sessionId')
    .innerJoin('operator as o', 'o.id', 's.operatorId')
    .select(['t.hash', 't.sessionId', 't.spendTime', 'o.userName'])
    .select(
      sql<boolean>`t."spendTime" > clock_timestamp() - make_interval(secs => ${GRACE_SECONDS})`.as(
        'justSpent',
      ),
    )
    .where('t.hash', '=', hashOf(refreshToken))
    .where('t.expireTime', '>', sql<string>`now()`)
    .where('s.revokeTime', 'is', null)
    .where('o.disabled', '=', false)
    .where(sql<boolean>`${await endOfSession(db)} > now()`)
    .forUpdate('t')
    .executeTakeFirst();

/**
 * Spends a refresh token for a new pair. One spent a moment ago gives the same pair again, as long as nobody has gone on
 * from that: its answer was lost, or several tabs came at once. Any other one spent before gives the session as `reused`: somebody
 * holds a copy, and the whole family is revoked. Unknown, expired and revoked ones give nothing.
 */
export async function spendRefreshToken(
  db: Db,
  vault: Vault,
  refreshToken: string,
): Promise<SignIn | { reused: string } | undefined> {
  const found = await findRefreshToken(db, refreshToken);
  if (!found) return undefined;
  const pair = successorsOf(vault, refreshToken);
  const { userName } = found;
  if (found.spendTime !== null) {
    if (found.justSpent && (await isUnspent(db, pair.refresh)))
      return { ...(await issuedBefore(db, found.sessionId, pair)), userName };
    await revokeSession(db, found.sessionId);
    return { reused: found.sessionId };
  }
  await db
    .updateTable('refresh_token')
    .set({ spendTime: sql`clock_timestamp()` })
    .where('hash', '=', found.hash)
    .execute();
  // Tokens that ran out belong to nobody; the family's own go with each refresh.
  await db
    .deleteFrom('access_token')
    .where('sessionId', '=', found.sessionId)
    .where('expireTime', '<', sql<string>`now()`)
    .execute();
  return { ...(await issue(db, found.sessionId, pair)), userName };
}

/** Ends one session. The caller announces it with `accessChanged`. */
export async function revokeSession(db: Db, sessionId: string): Promise<void> {
  await db.updateTable('session').set({ revokeTime: sql`now()` }).where('id', '=', sessionId).execute();
}

/** Ends an operator's sessions, but for one if told. The caller announces it with `accessChanged`. */
export async function revokeSessions(db: Db, operatorId: number, except?: string): Promise<void> {
  let update = db.updateTable('session').set({ revokeTime: sql`now()` }).where('operatorId', '=', operatorId);
  if (except !== undefined) update = update.where('id', '!=', except);
  await update.where('revokeTime', 'is', null).execute();
}

/** Ends the sessions of everyone but these operators. The caller announces it with `accessChanged`. */
export async function revokeSessionsExceptOf(db: Db, operatorIds: readonly number[]): Promise<void> {
  let update = db.updateTable('session').set({ revokeTime: sql`now()` }).where('revokeTime', 'is', null);
  if (operatorIds.length > 0) update = update.where('operatorId', 'not in', operatorIds);
  await update.execute();
}
