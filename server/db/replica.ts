import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { connect, type Db } from './database.ts';
import { Connection } from './driver/connection.ts';
import { errorCode, isConnectionLoss, isRetryable } from './driver/outage.ts';
import { pulseOf } from './driver/pulse.ts';
import { gathered } from './gathered.ts';

/** Why a replica is not read from: it does not answer, is no standby, or is the standby of another database. */
export type ReplicaTrouble = 'unreachable' | 'promoted' | 'foreign';

/** What the watch says, once, when it changes. */
interface ReplicaLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

interface ReplicaOptions {
  readonly timeZone: string;
  /** Reads what the replica must have. */
  readonly primary: Db;
  readonly shares: { readonly reads: number; readonly exports: number };
}

/** The watch looks so often and gives up a look so soon: a replica that hangs costs a caller about a second, once. */
const LOOK_MS = 250;
const ANSWER_MS = 800;
/** A caller waits no longer than this for the replica to have what is committed; the primary answers as well. */
const CATCH_UP_MS = 60;
/** What takes minutes may begin later. */
const SNAPSHOT_CATCH_UP_MS = 2_000;
const CATCH_UP_PAUSE_MS = 3;

/** Means that the primary may do better: a conflict with what is being replayed, a loss, no connection left. */
const mayWorkElsewhere = (error: unknown): boolean =>
  isRetryable(error) || isConnectionLoss(error) || errorCode(error).startsWith('53');

const positionOf = async (db: Db, lsn: string): Promise<number> => {
  const { rows } = await sql<{ at: number }>`
    select pg_wal_lsn_diff(${sql.raw(lsn)}, '0/0')::bigint as at`.execute(db);
  return rows[0]?.at ?? Number.NaN;
};

/**
 * A streaming replica for queries. It answers only what it can answer like the primary: everything that had been committed
 * when the question came must have been replayed. Whatever it cannot do is left to the primary.
 */
export class Replica {
  readonly #url: string;
  readonly #reads: Db;
  readonly #exports: Db;
  readonly #primary: Db;
  readonly #written: () => Promise<number>;
  readonly #replayed: () => Promise<number>;
  #log: ReplicaLog | undefined;
  #session: Connection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #trouble: ReplicaTrouble | undefined = 'unreachable';
  #since = Date.now();
  /** Whether the primary keeps the rows that a long snapshot here still sees. */
  #keepsRows = false;
  #fall = Promise.withResolvers<undefined>();

  constructor(url: string, { timeZone, primary, shares }: ReplicaOptions) {
    const pulse = pulseOf(url);
    this.#url = url;
    this.#primary = primary;
    this.#reads = connect(url, { timeZone, pulse, max: shares.reads });
    this.#exports = connect(url, { timeZone, pulse, max: shares.exports });
    this.#written = gathered(() => positionOf(primary, 'pg_current_wal_flush_lsn()'));
    this.#replayed = gathered(() => positionOf(this.#reads, 'pg_last_wal_replay_lsn()'));
  }

  /** What keeps it from being read; nothing when all is well. */
  get trouble(): ReplicaTrouble | undefined {
    return this.#trouble;
  }

  /** Since when it has been well, or not. */
  get since(): Date {
    return new Date(this.#since);
  }

  /** Begins to watch; until the first look has succeeded nothing is read here. */
  watch(log: ReplicaLog): void {
    this.#log = log;
    void this.#look();
  }

  async destroy(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#fall.resolve(undefined);
    await this.#session?.close().catch(() => {});
    await Promise.all([this.#reads.destroy(), this.#exports.destroy()]);
  }

  /** What a query answers here; nothing when the primary is to be asked. */
  async answer<T>(ask: (db: Db) => Promise<T>): Promise<{ value: T } | undefined> {
    if (this.#trouble) return undefined;
    return Promise.race([this.#attempt(this.#reads, ask, CATCH_UP_MS), this.#fall.promise]);
  }

  /** What a long snapshot begins with; only where the primary keeps its rows, as it would break half way otherwise. */
  async snapshot<T>(open: (db: Db) => Promise<T>): Promise<{ value: T } | undefined> {
    if (this.#trouble || !this.#keepsRows) return undefined;
    return this.#attempt(this.#exports, open, SNAPSHOT_CATCH_UP_MS);
  }

  async #attempt<T>(
    db: Db,
    ask: (db: Db) => Promise<T>,
    catchUpMs: number,
  ): Promise<{ value: T } | undefined> {
    try {
      return (await this.#hasCaughtUp(catchUpMs)) ? { value: await ask(db) } : undefined;
    } catch (error) {
      if (mayWorkElsewhere(error)) return undefined;
      throw error;
    }
  }

  /** Whether everything committed before this call can be seen here. */
  async #hasCaughtUp(waitMs: number): Promise<boolean> {
    const giveUpAt = performance.now() + waitMs;
    const [wanted, there] = await Promise.all([this.#written(), this.#replayed()]);
    for (let at = there; at < wanted; at = await this.#replayed()) {
      if (performance.now() > giveUpAt) return false;
      await sleep(CATCH_UP_PAUSE_MS);
    }
    return true;
  }

  async #look(): Promise<void> {
    try {
      this.#session ??= await this.#open();
      const { rows } = await this.#session.control(
        `select pg_is_in_recovery() as standby, current_setting('hot_standby_feedback') = 'on' as keeps`,
      );
      this.#keepsRows = rows[0]?.keeps === true;
      this.#tell(rows[0]?.standby === true ? undefined : 'promoted');
    } catch (error) {
      await this.#session?.close().catch(() => {});
      this.#session = undefined;
      this.#tell(error instanceof Foreign ? 'foreign' : 'unreachable');
    }
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#look(), LOOK_MS).unref();
  }

  /** A session for the watch; the two databases must be one, or their positions could not be compared. */
  async #open(): Promise<Connection> {
    const settings = {
      url: this.#url,
      session: { application_name: 'back-office watch' },
      answerMs: ANSWER_MS,
    };
    const session = await Connection.open(settings, () => {});
    const system = 'select system_identifier::text as id from pg_control_system()';
    try {
      const { rows } = await session.control(system);
      const primary = await sql.raw<{ id: string }>(system).execute(this.#primary);
      if (rows[0]?.id !== primary.rows[0]?.id) throw new Foreign();
      return session;
    } catch (error) {
      await session.close().catch(() => {});
      throw error;
    }
  }

  #tell(trouble: ReplicaTrouble | undefined): void {
    if (trouble === this.#trouble || this.#stopped) return;
    this.#trouble = trouble;
    this.#since = Date.now();
    if (trouble) {
      this.#fall.resolve(undefined);
      this.#log?.warn({ trouble }, 'the replica is not read from: queries go to the primary');
    } else {
      this.#fall = Promise.withResolvers<undefined>();
      this.#log?.info({}, 'the replica is read from');
    }
  }
}

/** The address leads to a standby of another database. */
class Foreign extends Error {}
