import { Refusal } from '#server/refusal.ts';

interface LineSettings {
  /** How much is worked at, at once. */
  readonly atOnce: number;
  /** How many visitors one origin may have in here. */
  readonly share: number;
  /** From so many visitors on, an origin may have `scarceShare` only. */
  readonly roomy: number;
  readonly scarceShare: number;
  /** How many visitors may be in here at all. */
  readonly most: number;
}

/** Does one piece of work when its turn has come. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** What a caller who was sent away is told to wait. */
const COME_BACK_SECONDS = 2;

/**
 * A short line before work that costs much. Whoever finds no place is sent away at once (`signInBusy`), before they have cost
 * anything; those inside have their turns origin by origin, so that one origin with many visitors holds up nobody but its own.
 */
export function createLine({ atOnce, share, roomy, scarceShare, most }: LineSettings) {
  const visitors = new Map<string, number>();
  /** Origins in the order of their turns, each with its work in the order it came. */
  const waiting = new Map<string, (() => void)[]>();
  let present = 0;
  let running = 0;

  const callNext = (): void => {
    const next = running < atOnce ? waiting.entries().next().value : undefined;
    if (!next) return;
    const [origin, [begin, ...others]] = next;
    waiting.delete(origin);
    if (others.length > 0) waiting.set(origin, others);
    running++;
    begin?.();
  };

  const turn = async <T>(origin: string, work: () => Promise<T>): Promise<T> => {
    await new Promise<void>((begin) => {
      waiting.set(origin, [...(waiting.get(origin) ?? []), begin]);
      callNext();
    });
    try {
      return await work();
    } finally {
      running--;
      callNext();
    }
  };

  /** Lets a visitor of an origin in, for as long as the visit lasts. */
  return async function visit<T>(origin: string, stay: (inTurn: InTurn) => Promise<T>): Promise<T> {
    const own = visitors.get(origin) ?? 0;
    if (present >= most || own >= (present < roomy ? share : scarceShare))
      throw new Refusal('signInBusy', {
        values: { seconds: COME_BACK_SECONDS },
        retryAfter: COME_BACK_SECONDS,
      });
    present++;
    visitors.set(origin, own + 1);
    try {
      return await stay((work) => turn(origin, work));
    } finally {
      present--;
      const left = (visitors.get(origin) ?? 1) - 1;
      if (left > 0) visitors.set(origin, left);
      else visitors.delete(origin);
    }
  };
}
