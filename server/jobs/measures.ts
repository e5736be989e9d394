import { Counter, Gauge, Histogram } from 'prom-client';
import { errorCode } from '#server/db/driver/outage.ts';
import { during } from '#server/db/driver/statements.ts';
import type { Log } from '#server/log.ts';
import { processMetrics } from '#server/process-metrics.ts';
import { createNews, failureDetails } from '#server/told-failures.ts';
import { beginTrace } from '#server/traces.ts';

const registers = [processMetrics];
const labelNames = ['part'] as const;
const runs = new Counter({
  name: 'background_runs_total',
  help: 'Turns of each part of the background work',
  labelNames,
  registers,
});
const failures = new Counter({
  name: 'background_failures_total',
  help: 'Turns and looks of each part that failed',
  labelNames,
  registers,
});
const lastFailure = new Gauge({
  name: 'background_last_failure_timestamp_seconds',
  help: 'When each part last failed, and by which error',
  aggregator: 'max',
  labelNames: ['part', 'error'],
  registers,
});
const seconds = new Histogram({
  name: 'background_run_seconds',
  help: 'How long the turns of each part took',
  labelNames,
  buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
  registers,
});
const lag = new Histogram({
  name: 'background_lag_seconds',
  help: 'How long after its due time each turn began',
  labelNames,
  buckets: [0.01, 0.05, 0.2, 1, 5, 30, 300],
  registers,
});

/** How a part of some server in this process fares, for as long as the server runs. */
interface Debtor {
  readonly name: string;
  /** How long it has owed what is due. */
  readonly owedMs: () => number;
  /** Whether it is failing, or owes for longer than it may. */
  readonly isInTrouble: () => boolean;
}
const debtors = new Set<Debtor>();
new Gauge({
  name: 'background_overdue_seconds',
  help: 'For how long the work that each part has to do now has been due',
  aggregator: 'max',
  labelNames,
  registers,
  collect() {
    this.reset();
    for (const [part, each] of Map.groupBy(debtors, ({ name }) => name))
      this.set({ part }, Math.max(...each.map(({ owedMs }) => owedMs())) / 1_000);
  },
});

new Gauge({
  name: 'background_trouble',
  help: '1 while each part is failing, or owes for longer than it may; 0 while it is well',
  aggregator: 'max',
  labelNames,
  registers,
  collect() {
    this.reset();
    for (const [part, each] of Map.groupBy(debtors, ({ name }) => name))
      this.set({ part }, each.some(({ isInTrouble }) => isInTrouble()) ? 1 : 0);
  },
});

/** Names a part in every measurement from now on, before it has done anything. Gives what ends that. */
export function beginMeasuring(debtor: Debtor): () => void {
  const part = debtor.name;
  runs.inc({ part }, 0);
  failures.inc({ part }, 0);
  seconds.zero({ part });
  lag.zero({ part });
  debtors.add(debtor);
  return () => debtors.delete(debtor);
}

/** How long after it was due a turn begins. */
export function noteLag(part: string, ms: number): void {
  lag.observe({ part }, Math.max(0, ms) / 1_000);
}

const isNews = createNews();
/** By which error each part failed last. */
const lastKinds = new Map<string, string>();

/** Messages may hold data and have no end of variety; a code or a name has neither. */
const kindOf = (error: unknown): string =>
  errorCode(error) || (error instanceof Error ? error.name : 'unknown');

/** Counts, keeps and tells a failure. */
export function noteFailure(log: Log, part: string, error: unknown): void {
  const kind = kindOf(error);
  failures.inc({ part });
  const last = lastKinds.get(part);
  if (last !== undefined) lastFailure.remove({ part, error: last });
  lastFailure.setToCurrentTime({ part, error: kind });
  lastKinds.set(part, kind);
  const details = failureDetails(error);
  if (isNews(`${part} ${details.error}`)) log.warn({ part, ...details }, 'background work failed');
}

/** Runs work under a name: counted and timed, and its failure noted, never thrown. Tells whether it went well. */
export async function measured(log: Log, part: string, work: () => Promise<unknown>): Promise<boolean> {
  runs.inc({ part });
  const end = seconds.startTimer({ part });
  const trace = beginTrace(part, { part });
  try {
    await during({ kind: 'part', name: part, heard: trace?.heard }, work);
    trace?.end({});
    return true;
  } catch (error) {
    trace?.end({}, kindOf(error));
    noteFailure(log, part, error);
    return false;
  } finally {
    end();
  }
}
