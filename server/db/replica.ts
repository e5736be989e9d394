import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Log } from '#server/log.ts';
import { connect, type Db } from './database.ts';
import { Connection } from './driver/connection.ts';
import { errorCode, isConnectionLoss, isKeptOut, isRetryable } from './driver/outage.ts';
import { pulseOf } from './driver/pulse.ts';
import { gathered } from './gathered.ts';
import { holds, type Position, replayed, written } from './log-position.ts';

/** Why a replica is not read from: it does not answer, is no standby, or is the standby of another database. */
export type ReplicaTrouble = 'unreachable' | 'promoted' | 'foreign';

interface ReplicaOptions {
  readonly timeZone: string;
  /** Reads what the replica must have. */
  readonly primary: Db;
  readonly shares: { readonly reads: number };
}

/** How often the watch looks, and how soon it gives up a look: a replica that hangs delays a caller by about a second, once. */
const LOOK_MS = 250;
const ANSWER_MS = 800;
/** How long a caller waits for the replica to catch up before the primary is asked. */
const CATCH_UP_MS = 60;
/** What takes minutes may begin later. */
const SNAPSHOT_CATCH_UP_MS = 2_000;
const CATCH_UP_PAUSE_MS = 3;

/** Errors after which the primary is asked: a conflict with replay, a lost or refused connection, no free connection. */
const mayWorkElsewhere = (error: unknown): boolean =>
  isRetryable(error) || isConnectionLoss(error) || isKeptOut(error) || errorCode(error).startsWith('53');

/**
 * A streaming replica for queries, or several behind one address. It answers only as the primary would: everything committed when the query came
 * must have been replayed. All else is left to the primary.
 */
export class Replica {
  readonly #url: string;
  readonly #reads: Db;
  readonly #primary: Db;
  /** Nothing when the primary does not say, being away or no primary any more. */
  readonly #written: () => Promise<Position | undefined>;
  readonly #replayed: () => Promise<Position>;
  #log: Pick<Log, 'info' | 'warn'> | undefined;
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
    this.#reads = connect(url, { timeZone, pulse, name: 'replica', max: shares.reads });
    this.#written = gathered(() => written(primary).catch(() => undefined));
    this.#replayed = gathered(() => replayed(this.#reads));
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
  watch(log: Pick<Log, 'info' | 'warn'>): void {
    this.#log = log;
    void this.#look();
  }

  async destroy(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#fall.resolve(undefined);
    await this.#session?.close().catch(() => {});
    await this.#reads.destroy();
  }

  /** The answer of a query here; undefined when the primary is to be asked. */
  async answer<T>(ask: (db: Db) => Promise<T>): Promise<{ value: T } | undefined> {
    if (this.#trouble) return undefined;
    const wanted = this.#written();
    const asked = this.#attempt(async () => {
      const now = await this.#asked(wanted, ask);
      if (now) return now;
      // Waited for without holding a session.
      return (await this.#catchesUp(await wanted, CATCH_UP_MS)) ? this.#asked(wanted, ask) : undefined;
    });
    return Promise.race([asked, this.#fall.promise]);
  }

  /**
   * What a long snapshot begins with, given what it must hold; only where the primary keeps its rows, as it would break half way otherwise.
   */
  async snapshot<T>(open: (url: string, wanted: Position) => Promise<T>): Promise<{ value: T } | undefined> {
    if (this.#trouble || !this.#keepsRows) return undefined;
    return this.#attempt(async () => {
      const wanted = await this.#written();
      if (!wanted || !(await this.#catchesUp(wanted, SNAPSHOT_CATCH_UP_MS))) return undefined;
      return { value: await open(this.#url, wanted) };
    });
  }

  async #attempt<T>(work: () => Promise<{ value: T } | undefined>): Promise<{ value: T } | undefined> {
    try {
      return await work();
    } catch (error) {
      if (mayWorkElsewhere(error)) return undefined;
      throw error;
    }
  }

  /** Asks over one session, if that has everything committed before this call: others may lead to other machines. */
  #asked<T>(
    wanted: Promise<Position | undefined>,
    ask: (db: Db) => Promise<T>,
  ): Promise<{ value: T } | undefined> {
    return this.#reads.connection().execute(async (one) => {
      const [there, least] = await Promise.all([replayed(one), wanted]);
      return least && holds(there, least) ? { value: await ask(one) } : undefined;
    });
  }

  /** Whether what is wanted can be seen here in time. A standby that does not follow the primary yet takes far longer than anybody waits. */
  async #catchesUp(wanted: Position | undefined, waitMs: number): Promise<boolean> {
    const giveUpAt = performance.now() + waitMs;
    if (!wanted) return false;
    for (;;) {
      const there = await this.#replayed();
      if (holds(there, wanted)) return true;
      if (there.timeline !== wanted.timeline || performance.now() > giveUpAt) return false;
      await sleep(CATCH_UP_PAUSE_MS);
    }
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
