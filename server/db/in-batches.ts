import { isOutage } from './driver/outage.ts';
import { duringAll, type Work, workUnderWay } from './driver/statements.ts';

interface Waiting<T, R> {
  readonly item: T;
  readonly asker: Work | undefined;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/** How items are worked on. */
interface Batched<T, R> {
  /** Many at once; gives a result for each, in their order. */
  readonly together: (items: readonly T[]) => Promise<readonly R[]>;
  /** One by itself. */
  readonly alone: (item: T) => Promise<R>;
}

interface Ways {
  /** The most items in a batch. */
  readonly most: number;
  /** The most batches at once. */
  readonly lanes: number;
  /** How many items must wait before a second batch begins beside one that is under way; fewer will do once that one takes long. */
  readonly enough?: number;
}

function tellAll<T, R>(batch: readonly Waiting<T, R>[], results: readonly R[]): void {
  for (const [place, { resolve, reject }] of batch.entries()) {
    const result = results[place];
    if (result === undefined) reject(new Error('a batch answered fewer than it took'));
    else resolve(result);
  }
}

/**
 * Does a batch and gives what tells its callers. Each fails alone: what breaks a whole batch is tried once more one by one, unless nobody can
 * know what became of it.
 */
async function done<T, R>(
  { together, alone }: Batched<T, R>,
  batch: readonly Waiting<T, R>[],
): Promise<() => void> {
  try {
    const results = await together(batch.map(({ item }) => item));
    return () => tellAll(batch, results);
  } catch (error) {
    if (isOutage(error) || batch.length === 1) throw error;
    const each = await Promise.allSettled(batch.map(({ item }) => alone(item)));
    return () => {
      for (const [place, { resolve, reject }] of batch.entries()) {
        const own = each[place];
        if (own?.status === 'fulfilled') resolve(own.value);
        else reject(own?.reason);
      }
    };
  }
}

/** A batch that takes this long is waiting for a lock; those who came later need not wait for it. */
const LONG_MS = 100;

/**
 * Does the work of many callers in batches. Whoever comes while batches are under way waits; the next batch takes all who wait, and begins as
 * soon as one has ended, before the callers of that one are answered. Its statements count as work of all its callers.
 */
export function inBatches<T, R>(
  work: Batched<T, R>,
  { most, lanes, enough = 1 }: Ways,
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let running = 0;
  let begins = false;
  let overdue: NodeJS.Timeout | undefined;

  async function runOne(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const tell = await duringAll(
        batch.map(({ asker }) => asker),
        () => done(work, batch),
      ).finally(ended);
      tell();
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
