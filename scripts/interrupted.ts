/** What is under way that must not be left as it is. */
const undoings = new Set<() => Promise<unknown>>();
let isHeard = false;
let endingSince: number | undefined;

const IMPATIENCE_MS = 1_000;

async function end(): Promise<void> {
  // Ctrl-C comes twice within a moment: from the terminal, and handed on by npm. Later on somebody is tired of waiting.
  if (endingSince !== undefined && performance.now() - endingSince > IMPATIENCE_MS) process.exit(1);
  if (endingSince !== undefined) return;
  endingSince = performance.now();
  await Promise.allSettled([...undoings].map((undo) => undo()));
  process.exit(process.exitCode ?? 1);
}

/** Does something when somebody interrupts the command, by Ctrl-C or otherwise, which then ends; gives what forgets it. */
export function whenInterrupted(undo: () => Promise<unknown>): () => void {
  if (!isHeard) for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  isHeard = true;
  undoings.add(undo);
  return () => {
    undoings.delete(undo);
  };
}
