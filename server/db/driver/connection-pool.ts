import { Connection, type ConnectionSettings } from './connection.ts';
import { DatabaseUnavailable, errorCode } from './outage.ts';
import { beginWait } from './patience.ts';
import { workUnderWay } from './statements.ts';

/** How a pool stands: connections that are open, those of them that are in use, and callers that wait for one. */
export interface PoolState {
  readonly name: string;
  readonly open: number;
  readonly busy: number;
  readonly waiting: number;
}

const living = new Set<ConnectionPool>();

/** How all pools of this process stand. */
export const poolStates = (): PoolState[] => [...living].map((pool) => pool.state);

export interface PoolSettings extends ConnectionSettings {
  /** What it is called in measurements. */
  readonly name: string;

  readonly max: number;
  /** How long a caller waits for a free connection. */
  readonly waitMs: number;
}

/** Whose work a connection is for; nobody's are each their own. */
type Caller = number | string | undefined;

interface Waiter {
  readonly caller: Caller;
  /** False when the caller has given up meanwhile. */
  readonly take: (connection: Connection) => boolean;
  readonly fail: (error: unknown) => void;
}

/** After this age a connection is replaced, so that load spreads over a changed set of database hosts. */
const MAX_AGE_MS = 30 * 60_000;

const TOO_MANY_CONNECTIONS = '53300';
const isSlowOpening = (error: unknown): boolean => errorCode(error) === 'CONNECT_TIMEOUT';

/**
 * Connections shared by all callers, opened as needed, up to `max`. Lost ones are dropped at once and never retried in
 * the background: each caller tries anew, so the first one after the database's return succeeds.
 */
export class ConnectionPool {
  readonly #settings: PoolSettings;
  readonly #idle: Connection[] = [];
  readonly #waiting: Waiter[] = [];
  /** Whom connections in use are for. */
  readonly #callers = new Map<Connection, Caller>();
  /** Open, opening or closing. */
  #size = 0;
  #opening = 0;
  #ended = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    living.add(this);
  }

  get state(): PoolState {
    const open = this.#size - this.#opening;
    const { name } = this.#settings;
    return { name, open, busy: open - this.#idle.length, waiting: this.#waiting.length };
  }

  /** Whether whoever asks now stands in line. */
  get isFull(): boolean {
    return this.#idle.length === 0 && this.#size >= this.#settings.max;
  }

  /**
   * A connection of one's own, to be given back by `release`. It is the first to come free, whether it was in use or is being opened; where
   * several wait, in the order of asking, but first to callers who have fewer. Throws `DatabaseUnavailable` when none comes free in time.
   */
  acquire(): Promise<Connection> {
    if (this.#ended) return Promise.reject(new DatabaseUnavailable('the pool has ended'));
    const caller = workUnderWay()?.caller;
    const idle = this.#idle.pop();
    if (idle) {
      this.#callers.set(idle, caller);
      return Promise.resolve(idle);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push(this.#waiter(caller, resolve, reject));
      this.#grow();
    });
  }

  release(connection: Connection): void {
    this.#callers.delete(connection);
    const isOld = performance.now() - connection.openedAt > MAX_AGE_MS;
    if (connection.isLost || isOld || this.#ended) {
      void this.#close(connection);
      return;
    }
    const waiter = this.#next();
    if (waiter?.take(connection)) this.#callers.set(connection, waiter.caller);
    else this.#idle.push(connection);
  }

  /** Whose turn it is: somebody's many questions stand in line behind one another, and not before those of others. */
  #next(): Waiter | undefined {
    const inUse = new Map<Caller, number>();
    for (const caller of this.#callers.values())
      if (caller !== undefined) inUse.set(caller, (inUse.get(caller) ?? 0) + 1);
    const has = (place: number) => inUse.get(this.#waiting[place]?.caller) ?? 0;
    let next = 0;
    for (let place = 1; place < this.#waiting.length && has(next) > 0; place += 1)
      if (has(place) < has(next)) next = place;
    return this.#waiting.splice(next, 1)[0];
  }

  /** Ends all idle connections now and the others as they are given back. */
  async end(): Promise<void> {
    this.#ended = true;
    living.delete(this);
    this.#failWaiting(new DatabaseUnavailable('the pool has ended'));
    await Promise.all(this.#idle.splice(0).map((connection) => this.#close(connection)));
  }

  #waiter(
    caller: Caller,
    resolve: (connection: Connection) => void,
    reject: (error: unknown) => void,
  ): Waiter {
    let waits = true;
    const end = (): boolean => {
      const waited = waits;
      waits = false;
      over();
      return waited;
    };
    const waiter: Waiter = {
      caller,
      take: (connection) => {
        if (!end()) return false;
        resolve(connection);
        return true;
      },
      fail: (error) => {
        end();
        reject(error);
      },
    };
    const over = beginWait(this.#settings.waitMs, this.#settings.pulse, () => {
      const place = this.#waiting.indexOf(waiter);
      if (place >= 0) this.#waiting.splice(place, 1);
      waiter.fail(new DatabaseUnavailable('no connection came free in time'));
    });
    return waiter;
  }

  /** Opens a connection for each who waits for one, all at the same time; where opening takes long, also for those who may come. */
  #grow(): void {
    const { max, opening } = this.#settings;
    const wanted = () => (opening === undefined ? this.#waiting.length : max);
    while (!this.#ended && this.#size < max && this.#opening < wanted()) void this.#open();
  }

  async #open(): Promise<void> {
    this.#size++;
    this.#opening++;
    try {
      const connection = await Connection.open(this.#settings, (lost) => this.#forget(lost));
      this.#opening--;
      this.release(connection);
    } catch (error) {
      this.#opening--;
      this.#size--;
      // Those in use will be free, though the server is full or too busy to let another in.
      const mayWait = errorCode(error) === TOO_MANY_CONNECTIONS || isSlowOpening(error);
      if (!mayWait || this.#size === 0) this.#failWaiting(error);
      else if (isSlowOpening(error)) this.#grow();
    }
  }

  /** An idle connection was lost. One in use is dropped when it is given back. */
  #forget(connection: Connection): void {
    const place = this.#idle.indexOf(connection);
    if (place < 0) return;
    this.#idle.splice(place, 1);
    void this.#close(connection);
  }

  async #close(connection: Connection): Promise<void> {
    await connection.close().catch(() => {});
    this.#size--;
    this.#grow();
  }

  #failWaiting(error: unknown): void {
    for (const waiter of this.#waiting.splice(0)) waiter.fail(error);
  }
}
