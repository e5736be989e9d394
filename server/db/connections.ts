import { connect, type Db } from './database.ts';
import { pulseOf } from './driver/pulse.ts';
import { Replica } from './replica.ts';

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
  /** A snapshot for each export under way. */
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

type Share = keyof typeof shares;

/** The pools of one server, by who uses them. */
export type Connections = Readonly<Record<Share, Db>> & {
  readonly replica?: Replica | undefined;
  /** A pool for one part of the background work, which nothing else waits for; ended with the others. */
  ofPart(name: string, max: number, opening?: string): Db;
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
  const ofParts: Db[] = [];
  const pools = {
    commands: pool('commands'),
    reads: pool('reads'),
    exports: pool('exports'),
    chat: pool('chat'),
    live: pool('live'),
    signIn: pool('signIn'),
    health: pool('health'),
  };
  const replica = replicaUrl
    ? new Replica(replicaUrl, { timeZone, primary: pools.reads, shares })
    : undefined;
  return {
    ...pools,
    replica,
    ofPart: (name, max, opening) => {
      const applicationName = `back-office ${name}`;
      const db = connect(url, { timeZone, pulse, max, applicationName, ...(opening && { opening }) });
      ofParts.push(db);
      return db;
    },
    destroy: async () => {
      await replica?.destroy();
      await Promise.all([...Object.values(pools), ...ofParts].map((db) => db.destroy()));
    },
  };
}

/** One pool for everything, for programs that measure or show something. */
export const connectionsOver = (db: Db): Connections => ({
  commands: db,
  reads: db,
  exports: db,
  chat: db,
  live: db,
  signIn: db,
  health: db,
  ofPart: () => db,
  destroy: () => db.destroy(),
});
