import { Kysely, sql } from 'kysely';
import { ConnectionPool } from './driver/connection-pool.ts';
import { postgresDialect } from './driver/postgres-dialect.ts';
import { type Pulse, pulseOf } from './driver/pulse.ts';
import { SharedReads } from './driver/shared-reads.ts';
import type { Tables } from './narrower.ts';

/**
 * Typed SQL over a pool, or inside a transaction. Values: bigint (ids, counts) is a number; numeric is text;
 * timestamptz is `YYYY-MM-DD HH:mm:ss` in the platform's zone, and takes such text or a Date; date is text; json is a
 * value, or its JSON text in parameters. Errors: see `isOutage` for those that mean "try again later".
 */
export type Db = Kysely<Tables>;

export type { Tables };

export interface ConnectOptions {
  /** The platform's zone: days and times in SQL are in it. */
  readonly timeZone: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  /** What these connections are called in measurements. */
  readonly name?: string;
  /** Connections of this server at most. */
  readonly max?: number;
  /** What each of its sessions says first; see the migrations. */
  readonly opening?: string;
  /** For work that no one waits for, such as migrations: no limit on the time of a statement or a lock, and long pauses between statements. With a pulse, a dead database ends it. */
  readonly patient?: boolean;
  /** For a thread that lets others go first: what it is told may reach it late, which says nothing of the database. */
  readonly givesWay?: boolean;
  /** Tells a slow database from a dead one; see `pulseOf`. Its own unless it is shared. */
  readonly pulse?: Pulse;
}

/** The console gives up after 15 s, so the database gives up earlier. */
const limits = {
  statement_timeout: '10s',
  lock_timeout: '8s',
  idle_in_transaction_session_timeout: '12s',
} as const;
/** A start on a busy machine loads modules between two statements, or hashes a password, for longer than a server at work ever is idle. */
const unlimited = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '60s',
} as const;

/** How long a caller stands in line for a connection; with the wait for a lock it stays below the console's patience. */
const WAIT_MS = 5_000;
/** A little longer than the database's own limit on statements. */
const ANSWER_MS = 12_000;
/** How late a thread that gives way may hear. With the second before its doubt it stays below the console's patience. */
const LATE_MS = 8_000;
/** What has no limit but the database's life. */
const ANY_MS = Number.MAX_SAFE_INTEGER;

const sharedReads = new WeakMap<Db, SharedReads>();

/** Reads that share the connections of its pool; nothing for what has a connection of its own. */
export const sharedReadsOf = (db: Db): SharedReads | undefined => sharedReads.get(db);

/** A pool over one database; it connects when first used and survives the database's restarts. End it by `destroy()`. */
export function connect(url: string, options: ConnectOptions): Db {
  const {
    timeZone,
    applicationName = 'back-office',
    max = 16,
    patient = false,
    givesWay = false,
    opening,
    name = 'other',
  } = options;
  const waiting = patient
    ? { waitMs: 10_000, ...(options.pulse ? { answerMs: ANY_MS, pulse: options.pulse } : { answerMs: 0 }) }
    : givesWay
      ? { waitMs: ANSWER_MS, answerMs: ANSWER_MS, connectMs: LATE_MS, pulse: pulseOf(url, LATE_MS) }
      : { waitMs: WAIT_MS, answerMs: ANSWER_MS, pulse: options.pulse ?? pulseOf(url) };
  const session = {
    TimeZone: timeZone,
    DateStyle: 'ISO, YMD',
    application_name: applicationName,
    ...(patient ? unlimited : limits),
  };
  const pool = new ConnectionPool({ url, name, session, max, ...(opening && { opening }), ...waiting });
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool) });
  sharedReads.set(db, new SharedReads(pool));
  return db;
}

/** A database this program must not run on; its message is a Chinese sentence. */
export class DatabaseUnfit extends Error {
  override name = 'DatabaseUnfit';
}

const OLDEST_SERVER = 150_000;

/** Asserts what the ledger relies on: version, durable commits, encoding, the platform's zone. Throws `DatabaseUnfit`. */
export async function assertFit(db: Db, timeZone: string): Promise<void> {
  const names = [
    'server_version_num',
    'server_encoding',
    'fsync',
    'full_page_writes',
    'synchronous_commit',
    'TimeZone',
  ];
  const { rows } = await sql<{ name: string; value: string }>`
    select name, current_setting(name) as value from unnest(${names}::text[]) as name`.execute(db);
  const { server_version_num, server_encoding, fsync, full_page_writes, synchronous_commit, TimeZone } =
    Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  if (Number(server_version_num) < OLDEST_SERVER) throw new DatabaseUnfit('需要 PostgreSQL 15 或更高版本');
  if (server_encoding !== 'UTF8') throw new DatabaseUnfit('数据库的编码须为 UTF8');
  // PostgreSQL answers with the zone's own spelling.
  if (TimeZone?.toLowerCase() !== timeZone.toLowerCase())
    throw new DatabaseUnfit(
      `数据库会话的时区是 ${TimeZone}，不是 PLATFORM_TIME_ZONE 指定的 ${timeZone}；请检查连接池是否丢弃了 TimeZone 参数`,
    );
  for (const [name, value] of Object.entries({ fsync, full_page_writes, synchronous_commit })) {
    if (value === 'off') throw new DatabaseUnfit(`数据库参数 ${name} 已关闭，断电会丢失账目，请打开后再启动`);
  }
}
