import { onStatement } from './db/driver/statements.ts';

/** Where slow statements are told. */
interface SlowLog {
  warn(details: object, message: string): void;
}

/** A statement that is longer is cut off. */
const LONGEST_TEXT = 2_000;

/** Tells statements that took so long in the log, with whose they are and without the values they were sent with. Gives what ends that. */
export function tellSlowStatements(log: SlowLog, slowMs: number | null): () => void {
  if (slowMs === null) return () => undefined;
  return onStatement(({ text, ms, error }, work) => {
    if (ms < slowMs) return;
    const statement = text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT);
    const whose = work ? { [work.kind]: work.name } : {};
    log.warn({ ...whose, ms: Math.round(ms), failed: error !== undefined, statement }, 'a slow statement');
  });
}
