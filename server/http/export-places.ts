import { Refusal } from '#server/refusal.ts';

export interface PlaceRules {
  /** Each export holds a connection and a snapshot of the database for as long as its caller takes to read. */
  readonly atOnce: number;
  /** How long a caller stands in line; the console gives up after 15 s. */
  readonly waitMs: number;
  /** A reader has this long before others count … */
  readonly graceMs: number;
  /** … and must then have taken so much a second, or gives way to whoever waits. */
  readonly bytesPerSecond: number;
}

const rules: PlaceRules = { atOnce: 3, waitMs: 10_000, graceMs: 30_000, bytesPerSecond: 100_000 };

/** Somebody else needed the place of a reader that took too little. */
export class ReaderTooSlow extends Error {
  override name = 'ReaderTooSlow';
  override message = 'its reader was too slow, and others waited';
}

/** One export's place among those that run at once. */
export interface Place {
  /** Says that the reader took so many bytes. */
  took(bytes: number): void;
  /** Says how this export is broken off. */
  onGivenUp(end: (reason: ReaderTooSlow) => void): void;
  leave(): void;
}

interface Running {
  readonly caller: number;
  readonly since: number;
  bytes: number;
  end: ((reason: ReaderTooSlow) => void) | undefined;
}

interface Waiter {
  readonly caller: number;
  readonly next: () => void;
}

/**
 * Gives out the places of exports: the next is who has the fewest, and of several such who came first. Nobody has all of them: whoever
 * read three long files slowly enough would keep everybody else from theirs.
 */
export interface ExportPlaces {
  /** For an operator, by number. Throws `exportsBusy` when none comes free in time. */
  take(caller: number): Promise<Place>;
}

const rateOf = ({ since, bytes }: Running): number => (bytes * 1_000) / (performance.now() - since);

/** The slowest of those that have had their time. */
function slowestOf(running: readonly Running[], graceMs: number): Running | undefined {
  const old = running.filter(({ since, end }) => end && performance.now() - since > graceMs);
  return old.sort((a, b) => rateOf(a) - rateOf(b))[0];
}

const placeOf = (running: Running, leave: () => void): Place => ({
  took: (bytes) => {
    running.bytes += bytes;
  },
  onGivenUp: (end) => {
    running.end = end;
  },
  leave,
});

/** `changed` is for tests. */
export function exportPlaces(changed: Partial<PlaceRules> = {}): ExportPlaces {
  const { atOnce, waitMs, graceMs, bytesPerSecond } = { ...rules, ...changed };
  const running = new Set<Running>();
  const line: Waiter[] = [];

  const placesOf = (caller: number) => [...running].filter((one) => one.caller === caller).length;
  const mayEnter = ({ caller }: { caller: number }) => placesOf(caller) < atOnce - 1;
  /** Breaks off the slowest one, if it is too slow. */
  const makeRoom = (): void => {
    if (!line.some(mayEnter)) return;
    const slowest = slowestOf([...running], graceMs);
    if (slowest && rateOf(slowest) < bytesPerSecond) slowest.end?.(new ReaderTooSlow());
  };
  const letIn = (): void => {
    while (running.size < atOnce) {
      const [first] = line.filter(mayEnter).sort((a, b) => placesOf(a.caller) - placesOf(b.caller));
      if (!first) return;
      line.splice(line.indexOf(first), 1);
      first.next();
    }
  };
  const enter = (caller: number): Place => {
    const place: Running = { caller, since: performance.now(), bytes: 0, end: undefined };
    running.add(place);
    return placeOf(place, () => {
      if (running.delete(place)) letIn();
    });
  };
  const wait = async (caller: number): Promise<Place> => {
    const { promise, resolve, reject } = Promise.withResolvers<Place>();
    const waiter = { caller, next: () => resolve(enter(caller)) };
    line.push(waiter);
    makeRoom();
    const looking = setInterval(makeRoom, graceMs / 20);
    const late = setTimeout(() => {
      line.splice(line.indexOf(waiter), 1);
      reject(new Refusal('exportsBusy'));
    }, waitMs);
    return promise.finally(() => {
      clearInterval(looking);
      clearTimeout(late);
    });
  };
  return {
    take: async (caller) => (running.size < atOnce && mayEnter({ caller }) ? enter(caller) : wait(caller)),
  };
}
