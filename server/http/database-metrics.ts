import { Counter, Gauge, type Registry } from 'prom-client';
import type { Connections } from '#server/db/connections.ts';
import type { Db } from '#server/db/database.ts';
import { type PoolState, poolStates } from '#server/db/driver/connection-pool.ts';
import { isPassing } from '#server/db/driver/outage.ts';
import type { Reads } from '#server/db/reads.ts';

/** Where queries are answered, and whether the replica may answer any; nothing without a replica. */
export function addReplicaMetrics(registry: Registry, { replica }: Connections, { counts }: Reads): void {
  if (!replica) return;
  const registers = [registry];
  new Gauge({
    name: 'database_replica_up',
    help: '1 while queries are read from the replica, 0 while all go to the primary',
    aggregator: 'min',
    registers,
    collect() {
      this.set(replica.trouble ? 0 : 1);
    },
  });
  new Counter({
    name: 'database_reads_total',
    help: 'Queries by the database that answered them',
    labelNames: ['from'],
    registers,
    collect() {
      this.reset();
      for (const [from, count] of Object.entries(counts)) this.inc({ from }, count);
    },
  });
}

const figures: readonly { name: string; help: string; of: (state: PoolState) => number }[] = [
  { name: 'database_connections_open', help: 'Connections that are open, by pool', of: ({ open }) => open },
  { name: 'database_connections_busy', help: 'Connections that are in use, by pool', of: ({ busy }) => busy },
  {
    name: 'database_waiting',
    help: 'Callers that wait for a connection, by pool',
    of: ({ waiting }) => waiting,
  },
];

/** How the pools of connections stand; those of one name together. */
export function addPoolMetrics(registry: Registry): void {
  for (const { name, help, of } of figures)
    new Gauge({
      ...{ name, help, labelNames: ['pool'], registers: [registry] },
      collect() {
        this.reset();
        for (const state of poolStates()) this.inc({ pool: state.name }, of(state));
      },
    });
}

/** A figure that the database tells, read whenever somebody asks for the measurements; with a `label` one for each of its values. */
export interface Watched {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  readonly read: (db: Db) => Promise<number | Record<string, number>>;
}

/** Is told of a figure that cannot be read though the database answers; of an outage others tell. */
type OnUnread = (figure: string, error: unknown) => void;

/** What is known of it now: nothing of its values while the database is away, and no number where there is but one. */
async function readWatched(
  { name, label, read }: Watched,
  db: Db,
  onUnread: OnUnread,
): Promise<[labels: object, value: number][]> {
  const found = await read(db).catch((error: unknown) => {
    if (!isPassing(error)) onUnread(name, error);
    return label ? {} : Number.NaN;
  });
  if (typeof found === 'number') return [[{}, found]];
  return Object.entries(found).map(([value, figure]) => [{ [label ?? 'of']: value }, figure]);
}

/** Figures by the names their owners gave them; those called a total only grow. */
export function addWatched(
  registry: Registry,
  db: Db,
  watched: readonly Watched[],
  onUnread: OnUnread,
): void {
  for (const each of watched) {
    const { name, help, label } = each;
    // All processes behind a port are told the same.
    const aggregator = 'max' as const;
    const told = { name, help, labelNames: label ? [label] : [], aggregator, registers: [registry] };
    if (name.endsWith('_total'))
      new Counter({
        ...told,
        async collect() {
          const found = await readWatched(each, db, onUnread);
          const read = found.filter(([, value]) => value >= 0);
          // What was counted stays, though it cannot be read for a moment.
          if (read.length > 0) this.reset();
          for (const [labels, value] of read) this.inc(labels, value);
        },
      });
    else
      new Gauge({
        ...told,
        async collect() {
          const found = await readWatched(each, db, onUnread);
          this.reset();
          for (const [labels, value] of found) this.set(labels, value);
        },
      });
  }
}
