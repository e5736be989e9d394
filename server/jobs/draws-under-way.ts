/** What promises keep away from, on either side. */
const APART_MS = 100;

/** Plans that are opened no sooner than that are in trouble, and not to be waited for. */
const OVERDUE_MS = 1_000;

/** What is known in this server of the draws that are due now and next. */
export interface Draws {
  /** The next ones are due then, in epoch milliseconds; handed on as it is. */
  expect(next: number | undefined): number | undefined;
  /** Does work on draws that are due. */
  during(work: () => Promise<void>): Promise<void>;
  areNear(now: Date): boolean;
}

/** Begins to know of a server's draws. */
export function watchDraws(): Draws {
  let next: number | undefined;
  let underWay = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  return {
    expect: (at) => {
      next = at;
      return at;
    },
    during: async (work) => {
      underWay++;
      try {
        await work();
      } finally {
        underWay--;
        endedAt = performance.now();
      }
    },
    areNear: (now) => {
      const wait = next === undefined ? Number.POSITIVE_INFINITY : next - now.getTime();
      const isNext = wait < APART_MS && wait > -OVERDUE_MS;
      return isNext || underWay > 0 || performance.now() - endedAt < APART_MS;
    },
  };
}
