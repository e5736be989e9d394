import type { Connections } from './connections.ts';
import type { Db } from './database.ts';
import type { Position } from './log-position.ts';
import type { ReplicaTrouble } from './replica.ts';
import { retried } from './retried.ts';

/** Where queries read, and how often they did. */
export interface Reads {
  /** What a query answers: from the replica where that is well and has everything, else from the primary. */
  query<T>(ask: (db: Db) => Promise<T>): Promise<T>;
  /** For what must not come from a replica whatever happens: money that somebody acts upon. */
  fromPrimary<T>(ask: (db: Db) => Promise<T>): Promise<T>;
  /** Opens a long snapshot, of the database at this address, which must hold what is wanted where that is a replica. */
  snapshot<T>(open: (url: string, wanted?: Position) => Promise<T>): Promise<T>;
  /** What keeps the replica from being read; nothing when it is well, or when there is none. */
  replicaTrouble(): ReplicaTrouble | undefined;
  readonly counts: { replica: number; primary: number };
}

/** Reads over these connections. A statement that lost against another one changed nothing and is tried again. */
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
