import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { originOf } from '#server/origin.ts';
import { createLine } from './hashing-line.ts';

// OWASP's argon2id setting of 19 MiB and two passes, which is also the library's default.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

// One way of writing a password counts: full-width letters are those on the keyboard.
const normal = (password: string): string => password.normalize('NFKC');

export const isSamePassword = (one: string, other: string): boolean => normal(one) === normal(other);

/** One that nobody can guess, to be read off a screen once. */
export const readablePassword = (): string => randomBytes(12).toString('base64url');

/** The argon2id PHC string of a password. */
export const hashPassword = (password: string): Promise<string> => hash(normal(password), cost);

// Checked when the account does not exist, so that a wrong name takes as long as a wrong password.
let decoy: Promise<string> | undefined;

/** Whether a password is the hash's; without a hash it takes the same time and says no. */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  const against = passwordHash ?? (await decoy);
  let matches = await verify(against, normal(password));
  // Hashes of before there was one way of writing are of the letters as they were typed.
  if (!matches && normal(password) !== password) matches = await verify(against, password);
  return passwordHash !== undefined && matches;
}

/** The two kinds of work with passwords, each done in its turn. */
export interface Hashing {
  hash(password: string): Promise<string>;
  matches(passwordHash: string | undefined, password: string): Promise<boolean>;
}

// A hash takes a processor for some 20 ms. One processor stays for draws and lists, and a share is a quarter of a second of hashing.
const atOnce = Math.min(2, Math.max(1, availableParallelism() - 1));
const visit = createLine({ atOnce, share: 12, roomy: 64, scarceShare: 2, most: 256 });

/**
 * Where all hashing for callers takes place: few at once, fair between the addresses callers come from, and with a bound beyond
 * which they are turned away (`signInBusy`). Hold no transaction while in here.
 */
export const amongHashers = <T>(address: string, stay: (hashing: Hashing) => Promise<T>): Promise<T> =>
  visit(originOf(address), (inTurn) =>
    stay({
      hash: (password) => inTurn(() => hashPassword(password)),
      matches: (passwordHash, password) => inTurn(() => passwordMatches(passwordHash, password)),
    }),
  );
