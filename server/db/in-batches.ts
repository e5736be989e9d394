import { duringAll, type Work, workUnderWay } from './driver/statements.ts';

interface Waiting<T, R> {
  readonly item: T;
  readonly asker: Work | undefined;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Work for many done as one: whoever comes while `lanes` batches are under way waits, and the next batch takes all who wait, `most` at
 * most. `work` answers for each item in their order; when it throws, everybody of that batch is told. Its statements are everybody's.
 */
export function inBatches<T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  { most, lanes }: { readonly most: number; readonly lanes: number },
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let running = 0;
  let begins = false;

  async function runOne(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await duringAll(
        batch.map(({ asker }) => asker),
        () => work(batch.map(({ item }) => item)),
      );
      for (const [place, { resolve, reject }] of batch.entries()) {
        const result = results[place];
        if (result === undefined) reject(new Error('a batch answered fewer than it took'));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function begin(): void {
    begins = false;
    while (running < lanes && waiting.length > 0) {
      running++;
      void runOne(waiting.splice(0, most)).then(() => {
        running--;
        beginSoon();
      });
    }
  }

  // Once the event loop has read whatever else has come by now.
  function beginSoon(): void {
    if (begins || running >= lanes || waiting.length === 0) return;
    begins = true;
    setImmediate(begin);
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, asker: workUnderWay(), resolve, reject });
      beginSoon();
    });
}
