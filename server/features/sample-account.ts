import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { findSeedValue } from './seed-store.ts';
import { findOperatorByName } from './sign-in/operator-secrets.ts';

/** The password of a sample installation; such a server listens on loopback only. */
export const SAMPLE_PASSWORD = 'admin12345';

export const FIRST_OPERATOR_KEY = 'operator:first';

/**
 * The account the login page may fill in: only with sample data on, only while its password is still the published
 * one, and never one that was given by ADMIN_PASSWORD.
 */
export async function sampleAccount(
  db: Db,
  config: Config,
): Promise<{ username: string; password: string } | undefined> {
  if (!config.sampleData || config.adminPassword !== null) return undefined;
  const seeded = await findSeedValue(db, FIRST_OPERATOR_KEY);
  const operator = await findOperatorByName(db, config.adminUsername);
  if (!operator || operator.passwordHash !== seeded) return undefined;
  return { username: config.adminUsername, password: SAMPLE_PASSWORD };
}
