import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { Log } from '#server/log.ts';
import type { Vault } from '#server/vault.ts';
import type { Signal } from './signal.ts';

/** What background work has at hand. */
export interface JobServices {
  /** Connections of the part's own, which no other waits for. */
  readonly db: Db;
  readonly config: Config;
  readonly vault: Vault;
  /** The database's time; passed in, so that tests can set it. */
  readonly clock: () => Date;
  readonly log: Log;
}

/** What one turn of a part may ask and say. */
export interface Turn {
  /** Whether the server stops: what can be left to another server is. */
  isStopping(): boolean;
  /** Goes on with work after the turn has ended, measured by a name of its own; a stop waits for it like for the turn. */
  beside(name: string, work: () => Promise<void>): Promise<void>;
}

/**
 * One part of the background work. Rows say what is due, and `for update skip locked` (or a claim that one transaction wins) shares them out
 * between servers: a turn may be taken on all servers at once, and again.
 */
export interface Part {
  /** How /metrics, the log and docs/operations.md name it, for good. */
  readonly name: string;
  /** What it does, for operators. */
  readonly what: string;
  /** How often it looks at least, since other servers and operators add what is due. */
  readonly everyMs: number;
  /** When it looks first after the start; at once unless said. */
  readonly firstMs?: number;
  /** How many connections it has for itself; 1 unless given. */
  readonly connections?: number;
  /** A statement that each of its connections runs first, to warm up what is slow the first time. */
  readonly opening?: string;
  /** Its statements take the time they take; only a database that answers nobody ends them. */
  readonly patient?: boolean;
  /** It does not depend on the clock, so it works on a server whose clock is wrong. */
  readonly anyClock?: boolean;
  /** How long something may be due before that is trouble; 30 s unless given. */
  readonly patienceMs?: number;
  /** When the next thing is due by the rows, in epoch milliseconds; without this function every look is a turn. */
  readonly nextDue?: (services: JobServices) => Promise<number | undefined>;
  /** Wakes it when this server knows that something is due. */
  readonly wokenBy?: Signal;
  /** Whether to wait for more urgent work; for three seconds at most. */
  readonly givesWay?: (services: JobServices) => boolean;
  /** Does what is due, once. */
  readonly run: (services: JobServices, turn: Turn) => Promise<void>;
}
