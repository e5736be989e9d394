import { BEAT_MS, type Happenings, type LiveWaiting, MOST_HAPPENINGS } from '#contract/happenings.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import type { Live, LiveListener } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { coalesced, every } from '#server/repeat.ts';
import { cursorText, readCursor } from './cursor.ts';
import { createMemory, type Since } from './news-memory.ts';
import { readWaiting, seenBy, type WaitingFigures, waitingOf } from './waiting-store.ts';

interface HubOptions {
  readonly db: Db;
  /** Who a token belongs to now; see `Sessions.find`. */
  readonly find: (token: string) => Promise<SignedIn | undefined>;
  readonly onError: (error: unknown) => void;
}

/** Somebody connected. */
interface Connected {
  readonly listener: LiveListener;
  operator: SignedIn;
  /** Whether it has been told what it missed. */
  greeted: boolean;
  /** What it was told last to be waiting, as JSON, and the figures that it is of. */
  waiting: string;
  figures: Figures | undefined;
  toldAt: number;
}

/** What waits, whoever looks, and when it was counted. */
interface Figures {
  readonly at: number;
  readonly waiting: WaitingFigures;
}

/** How soon others are told of what one did; access is trusted as long. */
const LOOK_MS = 500;
/** What has no happening of its own, such as the end of an approval's time, is found by then. */
const COUNT_MS = 15_000;
/** Streams of one operator at each server: windows of a browser share one. */
const MOST_STREAMS = 12;
const RETRY_SECONDS = 60;

const namesSeenBy = (operator: SignedIn): string => [...seenBy(operator)].join();

/**
 * Tells operators what happens. Looks at the database twice a second while anybody is connected, however many are, and keeps what it
 * saw for ten minutes, so that whoever was away for a moment costs the database nothing.
 */
export class LiveHub implements Live {
  readonly #options: HubOptions;
  readonly #memory: ReturnType<typeof createMemory>;
  readonly #connected = new Set<Connected>();
  readonly #look: () => Promise<void>;
  #loop: { stop: () => Promise<void> } | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #figures: Figures | undefined;
  /** What is told to all who see the same and for whom the same waits, written once however many they are; of one look. */
  readonly #alike = new Map<string, Happenings>();
  #stopped = false;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#memory = createMemory(options.db);
    this.#look = coalesced(() => this.#lookOnce(), options.onError);
  }

  /** How many streams there are. */
  get streams(): number {
    return this.#connected.size;
  }

  async read(operator: SignedIn, since: string | undefined): Promise<Happenings> {
    const asked = performance.now();
    await this.#look();
    if (this.#lookedAt < asked) throw new Refusal('unavailable');
    return this.#newsFor(operator, this.#since(since));
  }

  join(listener: LiveListener): () => void {
    const { operator } = listener;
    const own = [...this.#connected].filter((one) => one.operator.id === operator.id);
    if (this.#stopped) throw new Refusal('unavailable');
    if (own.length >= MOST_STREAMS) throw new Refusal('tooManyRequests', { retryAfter: RETRY_SECONDS });
    const connected: Connected = {
      ...{ listener, operator, greeted: false, waiting: '', figures: undefined },
      toldAt: performance.now(),
    };
    this.#connected.add(connected);
    this.#loop ??= every(LOOK_MS, this.#look, this.#options.onError);
    // Hundreds come in one moment when a server stops: a look for each would keep this one busy with nothing else.
    if (this.#isWithinReach(connected)) this.#tell(connected, { complete: true, happenings: [] });
    else void this.#look();
    return () => this.#leave(connected);
  }

  /** Ends all streams; those who listened go to another server. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const connected of [...this.#connected]) this.#end(connected);
    await this.#loop?.stop();
  }

  #leave(connected: Connected): void {
    this.#connected.delete(connected);
    if (this.#connected.size > 0) return;
    void this.#loop?.stop();
    this.#loop = undefined;
  }

  #end(connected: Connected): void {
    this.#leave(connected);
    connected.listener.end();
  }

  async #lookOnce(): Promise<void> {
    const began = performance.now();
    const before = new Set(this.#connected);
    const fresh = await this.#memory.read();
    const present = [...this.#connected];
    if (fresh.length > 0 || began - (this.#figures?.at ?? Number.NEGATIVE_INFINITY) > COUNT_MS)
      this.#figures = { at: began, waiting: await readWaiting(this.#options.db) };
    this.#lookedAt = began;
    this.#alike.clear();
    const told: Since = { complete: fresh.length <= MOST_HAPPENINGS, happenings: fresh };
    // All at once: where access has changed they are looked up by one statement.
    await Promise.all(present.map((connected) => this.#keepRights(connected)));
    for (const connected of present) {
      const isReady = connected.greeted || before.has(connected) || this.#isWithinReach(connected);
      if (isReady && this.#connected.has(connected)) this.#tell(connected, told);
    }
  }

  /**
   * Whether somebody can be told what they missed by what was read already. Whoever was told more at another server is told after a look
   * that begins after they came.
   */
  #isWithinReach({ listener: { since } }: Connected): boolean {
    const last = this.#memory.cursor();
    if (!last || !this.#figures || performance.now() - this.#lookedAt > 2 * LOOK_MS) return false;
    const cursor = readCursor(since);
    return since === undefined || (cursor !== undefined && cursor.xmax <= last.xmax);
  }

  /** Goes on with whoever is signed in as before and may see what they saw: whose rights have changed comes again with those of now. */
  async #keepRights(connected: Connected): Promise<void> {
    const { listener, operator } = connected;
    const now = await this.#options.find(listener.token);
    if (!now || (now !== operator && namesSeenBy(now) !== namesSeenBy(operator))) this.#end(connected);
    else if (now !== operator) Object.assign(connected, { operator: now, figures: undefined });
  }

  #tell(connected: Connected, fresh: Since): void {
    const { listener, operator, greeted } = connected;
    const isDue = performance.now() - connected.toldAt > BEAT_MS - LOOK_MS;
    const isQuiet = ({ complete, happenings }: Since): boolean =>
      greeted && !isDue && complete && happenings.length === 0;
    // Most looks find nothing: then nothing is worked out for anybody.
    if (isQuiet(fresh) && connected.figures === this.#figures) return;
    const { waiting: figures, ...news } = this.#newsFor(
      operator,
      greeted ? fresh : this.#since(listener.since),
    );
    const waiting = JSON.stringify(figures);
    const isNew = waiting !== connected.waiting;
    Object.assign(connected, { waiting, figures: this.#figures });
    if (isQuiet(news) && !isNew) return;
    const told = { ...news, waiting: isNew ? figures : null };
    listener.tell(greeted ? this.#asOthers(told, `${isNew} ${waiting} ${namesSeenBy(operator)}`) : told);
    Object.assign(connected, { greeted: true, toldAt: performance.now() });
  }

  /** The very object that others are told who are told the same in this look. */
  #asOthers(news: Happenings, key: string): Happenings {
    const same = this.#alike.get(key) ?? news;
    this.#alike.set(key, same);
    return same;
  }

  /** What somebody missed who was told until `since`; nothing for whoever comes for the first time. */
  #since(since: string | undefined): Since {
    if (since === undefined) return { complete: true, happenings: [] };
    const cursor = readCursor(since);
    return cursor ? this.#memory.since(cursor) : { complete: false, happenings: [] };
  }

  #newsFor(operator: SignedIn, { complete, happenings }: Since): Happenings {
    const cursor = this.#memory.cursor();
    if (!cursor || !this.#figures) throw new Error('nothing has been read yet');
    const nouns = seenBy(operator);
    const seen = happenings.filter(({ noun }) => nouns.has(noun));
    const waiting: LiveWaiting = waitingOf(this.#figures.waiting, operator);
    return { cursor: cursorText(cursor), complete, waiting, happenings: complete ? seen : [] };
  }
}
