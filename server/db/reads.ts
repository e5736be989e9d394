import type { Connections } from './connections.ts';
import type { Db } from './database.ts';
import type { Position } from './log-position.ts';
import type { ReplicaTrouble } from './replica.ts';
import { retried } from './retried.ts';

/** Where queries read, and how often they did. */
export interface Reads {
  /** Reads from the replica if that is well and up to date, else from the primary. */
  query<T>(ask: (db: Db) => Promise<T>): Promise<T>;
  /** Reads from the primary whatever happens, as for money that somebody acts upon. */
  fromPrimary<T>(ask: (db: Db) => Promise<T>): Promise<T>;
  /** Opens a long snapshot, given the address to connect to and, if that is a replica, the position it must have reached. */
  snapshot<T>(open: (url: string, wanted?: Position) => Promise<T>): Promise<T>;
  /** Why the replica is not in use; undefined when it is, or when there is none. */
  replicaTrouble(): ReplicaTrouble | undefined;
  readonly counts: { replica: number; primary: number };
}

/** Reads over these connections. A statement that failed by a conflict changed nothing, and is tried again. */
export function readsOver({ reads, exportsFrom, replica }: Connections): Reads {
  const counts = { replica: 0, primary: 0 };
  const fromPrimary = <T>(ask: (db: Db) => Promise<T>): Promise<T> => {
    counts.primary++;
    return retried(() => ask(reads));
  };
  return {
    counts,
    replicaTrouble: () => replica?.trouble,
    fromPrimary,
    query: async (ask) => {
      const answered = await replica?.answer(ask);
      if (!answered) return fromPrimary(ask);
      counts.replica++;
      return answered.value;
    },
    snapshot: async (open) => (await replica?.snapshot(open))?.value ?? retried(() => open(exportsFrom)),
  };
}
