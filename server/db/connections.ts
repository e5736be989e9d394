import { mostConnections, type shares, sharesOf } from './connection-shares.ts';
import { connect, type Db } from './database.ts';
import { pulseOf } from './driver/pulse.ts';
import { Replica } from './replica.ts';

type Share = Exclude<keyof typeof shares, 'exports'>;

/** The pools of one server, by who uses them. */
export type Connections = Readonly<Record<Share, Db>> & {
  readonly replica?: Replica | undefined;
  /** Where the thread of exports reads. */
  readonly exportsFrom: string;
  /** A pool for one part of the background work, which nothing else waits for; ended with the others. */
  ofPart(name: string, max: number, wants?: { readonly opening?: string; readonly patient?: boolean }): Db;
  destroy(): Promise<void>;
};

interface ConnectionsOptions {
  readonly timeZone: string;
  readonly replicaUrl?: string | null;
  /** How many connections to take at most; null: as many as usual. */
  readonly most?: number | null;
}

/** Pools over a database, and over its replica where there is one; each connects when first used. */
export function openConnections(
  url: string,
  { timeZone, replicaUrl, most }: ConnectionsOptions,
): Connections {
  const pulse = pulseOf(url);
  const own = sharesOf(most ?? mostConnections);
  const pool = (share: Share) => connect(url, { timeZone, pulse, name: share, max: own[share] });
  const ofParts: Db[] = [];
  const pools = {
    commands: pool('commands'),
    reads: pool('reads'),
    chat: pool('chat'),
    live: pool('live'),
    signIn: pool('signIn'),
    health: pool('health'),
  };
  const replica = replicaUrl
    ? new Replica(replicaUrl, { timeZone, primary: pools.reads, shares: own })
    : undefined;
  return {
    ...pools,
    replica,
    exportsFrom: url,
    ofPart: (name, max, wants) => {
      const applicationName = `back-office ${name}`;
      const db = connect(url, { timeZone, pulse, name, max, applicationName, ...wants });
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
export const connectionsOver = (db: Db, exportsFrom: string): Connections => ({
  exportsFrom,
  commands: db,
  reads: db,
  chat: db,
  live: db,
  signIn: db,
  health: db,
  ofPart: () => db,
  destroy: () => db.destroy(),
});
