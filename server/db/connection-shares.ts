/**
 * How the connections of one server are shared out: whoever waits, for a lock or a slow answer, holds up its own kind and no
 * other. Each part of the background work has its own besides (`ofPart`), and a replica takes `reads`, `exports` and one
 * that watches it.
 */
export const shares = {
  /** Changes. */
  commands: 6,
  /** Queries, and the look whether a token is still good. */
  reads: 4,
  /** A snapshot for each export under way; the thread of exports has them. */
  exports: 3,
  /** Chat sessions. */
  chat: 1,
  /** Looking for what operators are told of; in use only while somebody is connected. */
  live: 1,
  /** Signing in and out and renewing tokens, which anybody may try. */
  signIn: 2,
  /** /readyz, and the database's clock. */
  health: 1,
} as const;

/** What the parts of the background work have together, each for itself. */
export const connectionsOfParts = 24;

const sum = (all: Readonly<Record<string, number>>): number =>
  Object.values(all).reduce((total, each) => total + each, 0);

/** What a server takes at most unless it is told otherwise. */
export const mostConnections = sum(shares) + connectionsOfParts;

/** What no server can do with less than. */
export const fewestConnections = mostConnections - shares.commands - shares.reads + 2;

/** The shares of a server that may take so many: changes and queries get more or less, all else needs what it has. */
export function sharesOf(most: number): Readonly<Record<keyof typeof shares, number>> {
  const left = most - mostConnections + shares.commands + shares.reads;
  const part = shares.commands / (shares.commands + shares.reads);
  const commands = Math.min(left - 1, Math.max(1, Math.round(left * part)));
  return { ...shares, commands, reads: left - commands };
}
