import type { Readable } from 'node:stream';
import postgres, { type Row, type Sql } from 'postgres';
import { columnTypes } from './column-types.ts';
import { DatabaseUnavailable, isConnectionLoss } from './outage.ts';
import { beginWait } from './patience.ts';
import type { Pulse } from './pulse.ts';
import { statementSent } from './statements.ts';

export interface ConnectionSettings {
  readonly url: string;
  /** PostgreSQL settings of the session, such as `TimeZone`. */
  readonly session: Readonly<Record<string, string>>;
  /** What each session says first, so that it need not when somebody waits. */
  readonly opening?: string;
  /** How long one statement may stay unanswered before the connection is given up; 0 is forever. */
  readonly answerMs: number;
  /** How long reaching the database and signing in may take; two seconds unless told. */
  readonly connectMs?: number;
  /** Whether the database answers anybody at all; asked when a statement stays unanswered, so as not to wait in vain. */
  readonly pulse?: Pulse;
}

export interface Answer {
  readonly rows: Row[];
  /** INSERT, SELECT, COMMIT …; of the last statement. */
  readonly command: string;
  readonly count: number;
}

/** A row's values by their place, as they came; nothing where there is no value. */
export type BytesOfRow = readonly (Buffer | null)[];

/** A caller waits no longer than this to learn that the database is away. */
const CONNECT_MS = 2_000;

/** Above this a statement is likely one of a kind (a bulk insert) and not worth keeping prepared in every session. */
const PREPARED_PARAMETERS = 64;

/**
 * In a statement: it is planned for its values at each call. Of one that is prepared PostgreSQL keeps, from the sixth call on, a plan for all
 * values, in which every range of time is as narrow as any other.
 */
export const PLANNED_ANEW = '/* planned anew */';

/** In a statement that lifts the database's own limit: what follows within its transaction is waited for as well. */
export const TAKES_MINUTES = '/* takes minutes */';
const MINUTES_MS = 5 * 60_000;

/**
 * One session of PostgreSQL. Once lost it stays lost: postgres.js would reconnect by itself, and the rest of a
 * transaction would then run, and commit, outside of it. So each session is a client of its own with a single
 * connection, and nothing is sent after its end.
 */
export class Connection {
  readonly #sql: Sql;
  readonly #settings: ConnectionSettings;
  readonly #onLost: (connection: Connection) => void;
  readonly openedAt = performance.now();
  #loss: unknown;
  #takesMinutes = false;
  #last: Promise<unknown> = Promise.resolve();

  /** Connects; rejects when the database cannot be reached in time. */
  static async open(
    settings: ConnectionSettings,
    onLost: (connection: Connection) => void,
  ): Promise<Connection> {
    const connection = new Connection(settings, onLost);
    try {
      await connection.control(settings.opening ?? 'select 1');
    } catch (error) {
      connection.#lose(error);
      throw error;
    }
    return connection;
  }

  private constructor(settings: ConnectionSettings, onLost: (connection: Connection) => void) {
    this.#settings = settings;
    this.#onLost = onLost;
    this.#sql = postgres(settings.url, {
      max: 1,
      // Its timers know nothing of transactions that span statements; the pool decides on age.
      max_lifetime: null,
      connect_timeout: (settings.connectMs ?? CONNECT_MS) / 1_000,
      connection: settings.session,
      types: columnTypes,
      // All that is needed is among them; asking the database, as the driver would, can end the process.
      fetch_types: false,
      onnotice: () => {},
      onclose: () => this.#lose(new DatabaseUnavailable('the connection was closed')),
    });
  }

  get isLost(): boolean {
    return this.#loss !== undefined;
  }

  /** One statement with its parameters, prepared. */
  async query(text: string, parameters: readonly unknown[]): Promise<Answer> {
    return answerOf(await this.#inTurn(text, () => this.#prepared(text, parameters)));
  }

  /**
   * One that only reads. It is sent at once, behind what is under way, and the driver may send again what a loss left unsent. Its time counts
   * from when those ahead are answered.
   */
  async read(text: string, parameters: readonly unknown[]): Promise<Answer> {
    return answerOf(await this.#atOnce(text, this.#prepared(text, parameters)));
  }

  /** The same, of whose rows each value is given by its place as the bytes that came. */
  async bytes(text: string, parameters: readonly unknown[]): Promise<readonly BytesOfRow[]> {
    return this.#atOnce(text, this.#prepared(text, parameters).raw() as Promise<BytesOfRow[]>);
  }

  #atOnce<T>(text: string, asked: Promise<T>): Promise<T> {
    // The driver sends what somebody waits for.
    if (this.#loss === undefined) asked.catch(() => {});
    return this.#inTurn(text, () => asked);
  }

  #prepared(text: string, parameters: readonly unknown[]) {
    // Type 0 lets the server say what a parameter is; the driver would guess from its first element or its class.
    const values = parameters.map((value) => this.#sql.typed(value as string, 0));
    return this.#sql.unsafe(text, values, {
      prepare: values.length <= PREPARED_PARAMETERS && !text.includes(PLANNED_ANEW),
      simple: false,
    } as object);
  }

  /** Statements without parameters, unprepared; several may be separated by semicolons. */
  async control(text: string): Promise<Answer> {
    return answerOf(await this.#inTurn(text, () => this.#sql.unsafe(text)));
  }

  /** What COPY writes, as somebody takes it. It is told of as `shown`, without the values in it. Who does not take all of it gives up. */
  async copy(text: string, shown: string): Promise<CopyOut> {
    const { rows: sessions } = await this.query('select pg_backend_pid() as id', []);
    const rows = await this.#inTurn<Readable>(shown, () => this.#sql.unsafe(text).readable());
    // The driver stops its socket where rows come faster than they are taken, and lets it go on at a read only. At the end there is none, but
    // what closes the statement may still be on its way (porsager/postgres#1016).
    rows.once('end', () => rows._read(0));
    const giveUp = async () => {
      // While it waits for a reader the database heeds no goodbye, but the word of another session; what is on its way is let by.
      rows.on('error', () => {}).resume();
      await this.#end(sessions[0]?.id).catch(() => {});
      await this.close();
    };
    return { rows, giveUp };
  }

  async #end(session: unknown): Promise<void> {
    const other = await Connection.open(this.#settings, () => {});
    await other.query('select pg_terminate_backend($1)', [session]).finally(() => other.close());
  }

  /** Says goodbye; what is still running is cut off. */
  async close(): Promise<void> {
    this.#loss ??= new DatabaseUnavailable('the connection has been closed');
    await this.#sql.end({ timeout: 0 });
  }

  // One statement at a time: what the driver queues would be sent again over a new connection after a loss.
  #inTurn<T>(text: string, send: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.#run(text, send));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #run<T>(text: string, send: () => Promise<T>): Promise<T> {
    if (this.#loss !== undefined) throw this.#loss;
    const { pulse } = this.#settings;
    const answerMs = this.#patience(text);
    const answered = answerMs > 0 ? beginWait(answerMs, pulse, () => this.#giveUp()) : undefined;
    const ended = statementSent(text);
    try {
      const answer = await send();
      ended?.();
      pulse?.felt();
      return answer;
    } catch (error) {
      ended?.(error);
      if (isConnectionLoss(error)) this.#lose(error);
      else pulse?.felt();
      throw error;
    } finally {
      answered?.();
    }
  }

  #patience(text: string): number {
    const { answerMs } = this.#settings;
    if (text.includes(TAKES_MINUTES)) this.#takesMinutes = true;
    const takesMinutes = this.#takesMinutes && answerMs > 0;
    // A session serves others after the transaction.
    if (text === 'commit' || text === 'rollback') this.#takesMinutes = false;
    return takesMinutes ? Math.max(MINUTES_MS, answerMs) : answerMs;
  }

  #giveUp(): void {
    this.#lose(new DatabaseUnavailable('no answer in time'));
  }

  #lose(loss: unknown): void {
    if (this.#loss !== undefined) return;
    this.#loss = loss;
    this.#sql.end({ timeout: 0 }).catch(() => {});
    this.#onLost(this);
  }
}

/** What a COPY writes, and the way to end it half way, and the connection with it. */
interface CopyOut {
  readonly rows: Readable;
  readonly giveUp: () => Promise<void>;
}

interface DriverResult extends Array<Row> {
  readonly command: string;
  readonly count: number | null;
}

/** Several statements give several results; the last one counts. */
function answerOf(result: unknown): Answer {
  const results = result as DriverResult & Partial<readonly DriverResult[]>;
  const last: DriverResult = Array.isArray(results[0])
    ? (results.at(-1) as unknown as DriverResult)
    : results;
  return { rows: [...last], command: last.command, count: last.count ?? 0 };
}
