import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { changed } from '#server/db/rows.ts';
import { Refusal } from '#server/refusal.ts';
import { foldedName } from './user-name.ts';

/** What signing in needs to know of an operator; never sent anywhere. */
export interface OperatorSecrets {
  id: number;
  userName: string;
  passwordHash: string;
  googleSecret: Buffer | null;
  googleSteps: number[];
  disabled: boolean;
}

const secrets = ['id', 'userName', 'passwordHash', 'googleSecret', 'googleSteps', 'disabled'] as const;

/** Account names are the same in upper and lower case and in any way of writing; see `foldedName`. */
export async function findOperatorByName(db: Db, userName: string): Promise<OperatorSecrets | undefined> {
  // A name of before names were held to few letters may be found by its very letters only.
  const same = sql<boolean>`lower("userName") = ${foldedName(userName)} or "userName" = ${userName}`;
  return db
    .selectFrom('operator')
    .select(secrets)
    .where(same)
    .orderBy(sql`"userName" = ${userName} desc`)
    .executeTakeFirst();
}

/** The same once nobody else changes it any more until the transaction ends, such as its password or whether it may sign in. */
export async function holdOperatorByName(db: Db, userName: string): Promise<OperatorSecrets | undefined> {
  const seen = await findOperatorByName(db, userName);
  if (!seen) return undefined;
  return db
    .selectFrom('operator')
    .select(secrets)
    .where('id', '=', seen.id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function findOperatorSecrets(db: Db, id: number): Promise<OperatorSecrets | undefined> {
  return db.selectFrom('operator').select(secrets).where('id', '=', id).executeTakeFirst();
}

/** The operators that have a Google key. */
export async function operatorIdsWithKey(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('operator').select('id').where('googleSecret', 'is not', null).execute();
  return rows.map((row) => row.id);
}

/** Takes an operator's own new password. Throws `passwordWrong` if somebody gave them another meanwhile. */
export async function replacePassword(
  db: Db,
  id: number,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await changed(db, 'operator', { id }, ({ passwordHash }) => {
    if (passwordHash !== from) throw new Refusal('passwordWrong', { field: 'oldPassword' });
    return { passwordHash: to, passwordTemporary: false, editDate: sql`now()` };
  });
}

/** Notes a sign-in with its operator. */
export async function noteLogin(db: Db, id: number, address: string): Promise<void> {
  await db
    .updateTable('operator')
    .set({ lastLoginTime: sql`now()`, lastLoginAddress: address })
    .where('id', '=', id)
    .execute();
}
