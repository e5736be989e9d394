import type { Db } from '#server/db/database.ts';
import { shared } from '#server/repeat.ts';
import { readStanding, type Touched } from './access-events.ts';

// A revocation must hold everywhere within a second: what is remembered is trusted for half of that.
export const TRUSTED_MS = 500;

/** How access stands, as far as this server knows. */
interface Standing {
  readonly epoch: number;
  /** Whether calls that need a second operator wait for one. */
  readonly approvals: boolean;
}

/** Reads how access stands at most once per half second, all who ask sharing the look; `onChange` hears what was touched since the last one. */
export function watchStanding(db: Db, onChange: (touched: 'everyone' | readonly Touched[]) => void) {
  let standing: Standing = { epoch: -1, approvals: true };
  let readAt = Number.NEGATIVE_INFINITY;
  let doubts = 0;

  const readAgain = shared(async (): Promise<void> => {
    const asked = performance.now();
    const before = doubts;
    const { touched, ...current } = await readStanding(db, standing.epoch);
    if (current.epoch !== standing.epoch) onChange(touched);
    standing = current;
    // A change made while the read was under way may have been missed by it.
    if (before === doubts) readAt = asked;
  });

  return {
    /** As it was at the last look, however long ago. */
    known: (): Standing => standing,
    async fresh(): Promise<Standing> {
      while (performance.now() - readAt > TRUSTED_MS) await readAgain();
      return standing;
    },
    /** Makes the next who asks look again. */
    doubt(): void {
      doubts++;
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}
