import { Counter, Gauge } from 'prom-client';
import { errorCode } from '#server/db/outage.ts';
import { processMetrics } from '#server/process-metrics.ts';
import type { JobLog } from './workers.ts';

const registers = [processMetrics];
const runs = new Counter({
  name: 'background_runs_total',
  help: 'Runs of each part of the background work',
  labelNames: ['part'],
  registers,
});
const failures = new Counter({
  name: 'background_failures_total',
  help: 'Runs of each part that failed',
  labelNames: ['part'],
  registers,
});
const lastFailure = new Gauge({
  name: 'background_last_failure_timestamp_seconds',
  help: 'When each part last failed, and by which error',
  labelNames: ['part', 'error'],
  registers,
});

/** The same failure again and again, as in an outage, is told once in this time. */
const TOLD_AGAIN_MS = 30_000;
const told = new Map<string, { error: string; message: string; at: number }>();

function note(log: JobLog, name: string, error: unknown): void {
  // Messages may hold data and have no end of variety; a code or a name has neither.
  const kind = errorCode(error) || (error instanceof Error ? error.name : 'unknown');
  const message = error instanceof Error ? error.message : String(error);
  failures.inc({ part: name });
  const last = told.get(name);
  if (last) lastFailure.remove({ part: name, error: last.error });
  lastFailure.setToCurrentTime({ part: name, error: kind });
  const isNews = last?.message !== message || performance.now() - last.at > TOLD_AGAIN_MS;
  told.set(name, { error: kind, message, at: isNews ? performance.now() : last.at });
  if (isNews) log.warn({ part: name, error: message }, 'background work failed');
}

/** Runs one part of the background work: counted by its name, and its failure told, kept and given, never thrown. */
export async function runPart(log: JobLog, name: string, work: () => Promise<unknown>): Promise<unknown> {
  runs.inc({ part: name });
  try {
    await work();
    return undefined;
  } catch (error) {
    note(log, name, error);
    return error ?? new Error('failed without an error');
  }
}
