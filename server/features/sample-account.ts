import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { findOperatorByName } from './sign-in/operator-secrets.ts';
import { passwordMatches } from './sign-in/password.ts';

/** The password of a sample installation; such a server listens on loopback only. */
export const SAMPLE_PASSWORD = 'admin12345';

/** Looked at once for each hash: that costs a processor some 20 ms, and anybody may ask. */
let looked: { readonly hash: string; readonly isPublished: Promise<boolean> } | undefined;

function isPublished(hash: string): Promise<boolean> {
  if (looked?.hash !== hash) looked = { hash, isPublished: passwordMatches(hash, SAMPLE_PASSWORD) };
  return looked.isPublished;
}

/** The account the login page may fill in: only with sample data on, and only while its password is the published one. */
export async function sampleAccount(
  db: Db,
  config: Config,
): Promise<{ username: string; password: string } | undefined> {
  if (!config.sampleData) return undefined;
  const operator = await findOperatorByName(db, config.adminUsername);
  if (!operator || !(await isPublished(operator.passwordHash))) return undefined;
  return { username: config.adminUsername, password: SAMPLE_PASSWORD };
}
