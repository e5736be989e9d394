import { onStatement } from './db/driver/statements.ts';
import type { Log } from './log.ts';

/** A statement that is longer is cut off. */
const LONGEST_TEXT = 2_000;

/** Tells statements that took so long in the log, with whose they are and without the values they were sent with. Gives what ends that. */
export function tellSlowStatements(log: Pick<Log, 'warn'>, slowMs: number | null): () => void {
  if (slowMs === null) return () => undefined;
  return onStatement(({ text, ms, error }, work) => {
    if (ms < slowMs) return;
    const statement = text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT);
    const whose = work ? { [work.kind]: work.name } : {};
    log.warn({ ...whose, ms: Math.round(ms), failed: error !== undefined, statement }, 'a slow statement');
  });
}
