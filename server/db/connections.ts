import { connect, type Db } from './database.ts';
import { pulseOf } from './pulse.ts';
import { Replica } from './replica.ts';

/**
 * How the connections of one server are shared out, 21 in all: whoever waits, for a lock or a slow answer, holds up its own
 * kind and no other. A replica takes `reads`, `exports` and one that watches it besides.
 */
export const shares = {
  /** Changes. */
  commands: 6,
  /** Queries, and the look whether a token is still good. */
  reads: 4,
  /** A snapshot for each export under way. */
  exports: 3,
  /** What is due at a moment: the life of plans, and draws. */
  draws: 2,
  /** All other background work: the queue, spiders, folded counts, chat sessions. */
  jobs: 3,
  /** Signing in and out and renewing tokens, which anybody may try. */
  signIn: 2,
  /** /readyz. */
  health: 1,
} as const;

type Share = keyof typeof shares;

/** The pools of one server, by who uses them. */
export type Connections = Readonly<Record<Share, Db>> & {
  readonly replica?: Replica | undefined;
  destroy(): Promise<void>;
};

interface ConnectionsOptions {
  readonly timeZone: string;
  readonly replicaUrl?: string | null;
}

/** Pools over a database, and over its replica where there is one; each connects when first used. */
export function openConnections(url: string, { timeZone, replicaUrl }: ConnectionsOptions): Connections {
  const pulse = pulseOf(url);
  const pool = (share: Share) => connect(url, { timeZone, pulse, max: shares[share] });
  const pools = {
    commands: pool('commands'),
    reads: pool('reads'),
    exports: pool('exports'),
    draws: pool('draws'),
    jobs: pool('jobs'),
    signIn: pool('signIn'),
    health: pool('health'),
  };
  const replica = replicaUrl
    ? new Replica(replicaUrl, { timeZone, primary: pools.reads, shares })
    : undefined;
  return {
    ...pools,
    replica,
    destroy: async () => {
      await replica?.destroy();
      await Promise.all(Object.values(pools).map((db) => db.destroy()));
    },
  };
}

/** One pool for everything, for programs that measure or show something. */
export const connectionsOver = (db: Db): Connections => ({
  commands: db,
  reads: db,
  exports: db,
  draws: db,
  jobs: db,
  signIn: db,
  health: db,
  destroy: () => db.destroy(),
});
