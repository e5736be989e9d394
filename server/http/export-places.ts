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
  readonly since: number;
  bytes: number;
  end: ((reason: ReaderTooSlow) => void) | undefined;
}

/** Gives out the places of exports, first come first served. */
export interface ExportPlaces {
  /** Throws `exportsBusy` when none comes free in time. */
  take(): Promise<Place>;
}

/** `changed` is for tests. */
export function exportPlaces(changed: Partial<PlaceRules> = {}): ExportPlaces {
  const { atOnce, waitMs, graceMs, bytesPerSecond } = { ...rules, ...changed };
  const running = new Set<Running>();
  const line: (() => void)[] = [];

  const rateOf = ({ since, bytes }: Running) => (bytes * 1_000) / (performance.now() - since);
  /** Breaks off the slowest one, if it is too slow. */
  const makeRoom = (): void => {
    const old = [...running].filter(({ since, end }) => end && performance.now() - since > graceMs);
    const [slowest] = old.sort((a, b) => rateOf(a) - rateOf(b));
    if (slowest && rateOf(slowest) < bytesPerSecond) slowest.end?.(new ReaderTooSlow());
  };
  const enter = (): Place => {
    const place: Running = { since: performance.now(), bytes: 0, end: undefined };
    running.add(place);
    return {
      took: (bytes) => {
        place.bytes += bytes;
      },
      onGivenUp: (end) => {
        place.end = end;
      },
      leave: () => {
        if (running.delete(place)) line.shift()?.();
      },
    };
  };
  const wait = (): Promise<Place> =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearInterval(looking);
        clearTimeout(late);
      };
      const next = () => {
        stop();
        resolve(enter());
      };
      const looking = setInterval(makeRoom, graceMs / 20);
      const late = setTimeout(() => {
        stop();
        line.splice(line.indexOf(next), 1);
        reject(new Refusal('exportsBusy'));
      }, waitMs);
      line.push(next);
      makeRoom();
    });
  return { take: async () => (running.size < atOnce ? enter() : wait()) };
}
