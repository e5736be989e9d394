import type { EndpointName } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { DatabaseClock } from '#server/db/database-clock.ts';
import type { Reads } from '#server/db/reads.ts';
import type { ExportThread } from '#server/exports/export-thread.ts';
import type { Vault } from '#server/vault.ts';
import type { ApprovalRules } from './approval.ts';
import type { ExportPlaces } from './export-places.ts';
import type { ChatSessions, Context, Handlers, Live, NewApproval } from './handler.ts';
import type { KeyedRequest } from './idempotency.ts';
import type { Kept } from './one-trip.ts';
import type { SessionUses } from './session-uses.ts';
import type { Sessions } from './sessions.ts';

/** What the frame needs to run a call. */
export interface Services {
  /** For changes. */
  db: Db;
  /** For changes of the caller's own sign-in, so that a flood of those does not hold up the others. */
  signIn: Db;
  reads: Reads;
  backgroundTroubles: Context['backgroundTroubles'];
  /** The places of exports, and the thread that reads and writes them. */
  exports: ExportPlaces;
  exportThread: ExportThread;
  config: Config;
  vault: Vault;
  chat: ChatSessions;
  live: Live;
  sessions: Sessions;
  uses: SessionUses;
  log: Context['log'];
  clock: DatabaseClock;
  /** Every call's handler. */
  handlers: Handlers;
  approvals: {
    rules: ApprovalRules;
    /** Whether approvals are in force. */
    enforced: () => Promise<boolean>;
    /** Keeps a call that waits for somebody else; gives its number. */
    keep: (context: Context, call: NewApproval) => Promise<number>;
  };
}

/** One call on its way: checked, allowed, not yet run. */
export interface Call {
  name: EndpointName;
  endpoint: AnyEndpoint;
  input: Record<string, unknown>;
  operator: SignedIn;
  address: string;
  agent: string;
  now: Date;
  idempotencyKey: string | undefined;
  /** The digest of the table that came in place of an input. */
  table?: string;
  /** The request under its key, once it was worked out. */
  keyed?: KeyedRequest;
  /** Whether approvals are in force for it, once that was asked. */
  waits?: boolean;
}

/** A call with what it does. */
export interface RunnableCall extends Call {
  /** The input as it came. */
  raw: Record<string, unknown>;
  run: (context: Context) => Promise<unknown>;
  /** Whether a command leaves a line in the change record. */
  recorded: boolean;
  /** Slow work before the transaction; gives what runs inside it in place of `run`. */
  prepare?: (context: Context) => Promise<(context: Context) => Promise<unknown>>;
  /** One statement in place of `run`, the record and the key; see `Trip`. */
  trip?: (context: Context, kept: Kept) => Promise<boolean>;
}
