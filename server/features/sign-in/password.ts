import { hash, verify } from '@node-rs/argon2';

// OWASP's argon2id setting of 19 MiB and two passes, which is also the library's default.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The argon2id PHC string of a password. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost);

// Checked when the account does not exist, so that a wrong name takes as long as a wrong password.
let decoy: Promise<string> | undefined;

/** Whether a password is the hash's; without a hash it takes the same time and says no. */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  const matches = await verify(passwordHash ?? (await decoy), password);
  return passwordHash !== undefined && matches;
}
