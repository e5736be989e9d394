import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { Jobs, QueueName } from '#server/db/job-queue.ts';
import type { Vault } from '#server/vault.ts';

/** What background work has at hand. */
export interface JobServices {
  readonly db: Db;
  readonly config: Config;
  readonly vault: Vault;
  /** The database's time; passed in, so that tests can set it. */
  readonly clock: () => Date;
  readonly log: JobLog;
}

/** The few words background work says; the server's own logger fits. */
export interface JobLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** What is done with the jobs of one queue. Throwing lets the queue try again later. */
export interface Worker<Q extends QueueName = QueueName> {
  readonly queue: Q;
  readonly run: (services: JobServices, data: Jobs[Q]) => Promise<void>;
  /** How long a new job may wait to be seen, in seconds from 0.5; 2 unless said otherwise. */
  readonly pollSeconds?: number;
  /** A cron line in the platform's zone that queues an empty job by itself. */
  readonly schedule?: string;
}

/** Declares a worker; the queue's name decides what its jobs carry. */
export const worker = <Q extends QueueName>(declared: Worker<Q>): Worker => declared as unknown as Worker;
