import { duringAll, type Work, workUnderWay } from './driver/statements.ts';

interface Waiting<T, R> {
  readonly item: T;
  readonly asker: Work | undefined;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

interface Ways {
  /** How many a batch takes at most. */
  readonly most: number;
  /** How many batches are under way at once at most. */
  readonly lanes: number;
  /** How many must wait for another batch to begin beside one that is under way, unless that takes long. */
  readonly enough?: number;
}

function tellAll<T, R>(batch: readonly Waiting<T, R>[], results: readonly R[]): void {
  for (const [place, { resolve, reject }] of batch.entries()) {
    const result = results[place];
    if (result === undefined) reject(new Error('a batch answered fewer than it took'));
    else resolve(result);
  }
}

/** A batch that takes so long waits for somebody: those who came later need not. */
const LONG_MS = 100;

/**
 * Work for many done as one: whoever comes while batches are under way waits, and the next batch takes all who wait. It begins as soon as
 * one has ended, before those of that one are told. `work` answers for each item in their order; when it throws, everybody of that batch
 * is told. Its statements are everybody's.
 */
export function inBatches<T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  { most, lanes, enough = 1 }: Ways,
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let running = 0;
  let begins = false;
  let overdue: NodeJS.Timeout | undefined;

  async function runOne(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await duringAll(
        batch.map(({ asker }) => asker),
        () => work(batch.map(({ item }) => item)),
      ).finally(ended);
      tellAll(batch, results);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function ended(): void {
    running--;
    begin();
  }

  function begin(late = false): void {
    clearTimeout(overdue);
    overdue = undefined;
    let needed = running === 0 || late ? 1 : enough;
    while (running < lanes && waiting.length >= needed) {
      running++;
      void runOne(waiting.splice(0, most));
      needed = enough;
    }
    if (running < lanes && waiting.length > 0) overdue = setTimeout(begin, LONG_MS, true);
  }

  // Once the event loop has read whatever else has come by now.
  function beginSoon(): void {
    if (begins || running >= lanes || (overdue && waiting.length < enough)) return;
    begins = true;
    setImmediate(() => {
      begins = false;
      begin();
    });
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, asker: workUnderWay(), resolve, reject });
      beginSoon();
    });
}
