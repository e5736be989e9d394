import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { changed } from '#server/db/rows.ts';
import type { Context } from '#server/http/handler.ts';
import { forgetFailures } from './throttle-store.ts';

/** How long a key that was begun waits for its first code. */
const PENDING_MINUTES = 10;

const binding = (id: number): string => `operator:${id}:googleSecret`;
const pendingBinding = (id: number): string => `pending_google_key:${id}:secret`;

type KeyHolder = Readonly<{ id: number; googleSecret: Buffer | null }>;

/** An operator's Google key: nothing where there is none, `unreadable` when it was sealed under another APP_SECRET. */
export function googleKey({ vault, log }: Context, { id, googleSecret }: KeyHolder) {
  if (!googleSecret) return undefined;
  try {
    return { secret: vault.open(googleSecret, binding(id)) };
  } catch {
    log.error({ operatorId: id }, 'a Google key cannot be opened: it was sealed under another APP_SECRET');
    return 'unreadable';
  }
}

/** Puts a key in an operator's row, or none; codes of the key before, wrong ones too, pending ones and recovery codes go with it. */
async function put(db: Db, id: number, googleSecret: Buffer | null, googleSteps: number[]): Promise<void> {
  await changed(db, 'operator', { id }, { googleSecret, googleSteps, editDate: sql`now()` });
  await db.deleteFrom('pending_google_key').where('operatorId', '=', id).execute();
  await db.deleteFrom('recovery_code').where('operatorId', '=', id).execute();
  await forgetFailures(db, 'code', String(id));
}

/** Gives an operator a key; codes of `takenSteps` have been used already. */
export const replaceGoogleKey = (
  { db, vault }: Context,
  id: number,
  secret: string,
  takenSteps: number[] = [],
) => put(db, id, vault.seal(secret, binding(id)), takenSteps);

export const clearGoogleKey = (db: Db, id: number): Promise<void> => put(db, id, null, []);

/** Keeps a key that an operator has begun to bind, in place of any begun before. */
export async function beginKey({ db, vault }: Context, id: number, secret: string): Promise<void> {
  const sealed = vault.seal(secret, pendingBinding(id));
  await db
    .insertInto('pending_google_key')
    .values({ operatorId: id, secret: sealed })
    .onConflict((conflict) =>
      conflict.column('operatorId').doUpdateSet({ secret: sealed, createTime: sql`now()` }),
    )
    .execute();
}

/** The key an operator has begun to bind lately; nothing when there is none. */
export async function findBegunKey({ db, vault }: Context, id: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('pending_google_key')
    .select('secret')
    .where('operatorId', '=', id)
    .where('createTime', '>', sql<string>`now() - make_interval(mins => ${PENDING_MINUTES})`)
    .executeTakeFirst();
  return row && vault.open(row.secret, pendingBinding(id));
}

/** The time steps whose codes an operator has used, until the end of the transaction this caller's alone. */
export async function lockSteps(db: Db, id: number): Promise<number[]> {
  const row = await db
    .selectFrom('operator')
    .select('googleSteps')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row?.googleSteps ?? [];
}

export async function keepSteps(db: Db, id: number, googleSteps: number[]): Promise<void> {
  await db.updateTable('operator').set({ googleSteps }).where('id', '=', id).execute();
}
