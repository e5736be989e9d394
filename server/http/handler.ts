import type { Contract, EndpointName } from '#contract/all.ts';
import type { AccessChange } from '#contract/approvals.ts';
import type { Input, Output } from '#contract/endpoint.ts';
import type { Happenings } from '#contract/happenings.ts';
import type { ReleaseRight } from '#contract/screens.ts';
import type { Touching } from '#server/access/access-events.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { ChatAction } from '#server/chat-action.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { ReplicaTrouble } from '#server/db/replica.ts';
import type { RowNote } from '#server/db/rows.ts';
import type { Written } from '#server/db/written.ts';
import type { Log } from '#server/log.ts';
import type { Vault } from '#server/vault.ts';
import type { Kept } from './one-trip.ts';
import type { Rerun, StoredCall } from './rerun.ts';

export type { Kept } from './one-trip.ts';

/** What a handler adds to the change record; never secrets. */
interface Remark {
  targetId?: number | string;
  before?: unknown;
  after?: unknown;
  /** Figures that may move until a release: shown with `after`, and not compared then. */
  moving?: object;
}

/** The chat sessions, whichever server they run on. */
export interface ChatSessions {
  /** Does what an operator asks of a session; gives the success sentence where it is not the usual one. Throws what the session refuses. */
  perform(id: number, action: ChatAction): Promise<string | null>;
}

/** Somebody who follows what happens, for as long as their session may. */
export interface LiveListener {
  readonly token: string;
  readonly operator: SignedIn;
  /** Where they left off. */
  readonly since: string | undefined;
  tell(news: Happenings): void;
  end(): void;
}

/** What tells operators what happens. */
export interface Live {
  /** What happened since, as far as this operator may see it. */
  read(operator: SignedIn, since: string | undefined): Promise<Happenings>;
  /** Tells a listener from now on, until the function it returns is called. Throws `tooManyRequests`. */
  join(listener: LiveListener): () => void;
}

/** A call that somebody else is to release. */
export interface NewApproval {
  call: string;
  summary: string;
  targetId: string | null;
  release: ReleaseRight;
  why: string;
  reason: string | null;
  /** The input as it was sent, secrets included. */
  raw: object;
  /** The input as it may be shown, as JSON. */
  input: string;
  before?: unknown;
  after?: unknown;
  access?: readonly AccessChange[] | undefined;
  digest: Buffer;
  operator: SignedIn;
  address: string;
  agent: string;
}

/** What a handler works with. */
export interface Context {
  /** For a command the transaction that also holds its change record; for a query the pool (or the replica). */
  readonly db: Db;
  readonly config: Config;
  readonly vault: Vault;
  /** Why the read replica is not in use; undefined when it is, or when there is none. */
  readonly replicaTrouble: ReplicaTrouble | undefined;
  /** What the parts of this server's background work do that are in trouble. */
  readonly backgroundTroubles: () => readonly string[];
  readonly chat: ChatSessions;
  readonly live: Live;
  /** The moment the request came in, by the database's clock. */
  readonly now: Date;
  /** The caller's network address. */
  readonly address: string;
  /** What the caller's program calls itself. */
  readonly agent: string;
  /** For what whoever runs the server must know; without secrets. */
  readonly log: Pick<Log, 'error'>;
  /** Who calls; for public and platform calls nobody, with id 0. */
  readonly operator: SignedIn;
  /** Whether approvals are in force for this call. A handler goes by this and not by the parameter, of which the frame may hear later. */
  readonly waits: boolean;
  /** Replaces the success sentence (新增成功 …), as in 已生成 120 期. */
  say(message: string): void;
  /** Adds to the change record what the call's input does not tell. */
  remark(remark: Remark): void;
  /**
   * To be called before anything else by whatever changes who may do what, with whose access it touches; see `bumpEpoch`. Throws `rightsTaken` where
   * a change before this one took rights of the caller's.
   */
  accessChanged(touching: Touching, db?: Db): Promise<void>;
  /** Holds the answer back until what the call changed is in force on every server. */
  answerOnceHeard(): void;
  /** Prepares a stored call to be run in its maker's name; to be called before a transaction begins. */
  rerun(stored: StoredCall): Promise<Rerun>;
}

type Why = string | undefined;

/** Why a call needs a second operator; and if it changes access, whose and how, which must be the same at the release. */
export interface Finding {
  readonly why: Why;
  readonly access?: readonly AccessChange[];
}

/**
 * Tells why a call needs a second operator, if it does. It is asked before the call's work, with the checked input and who calls; if that is
 * not enough to tell by, it returns a function that is asked after the work, in the same transaction, with the rows that changed.
 */
export type ApprovalRule<I = never> = (
  db: Db,
  input: I,
  maker: SignedIn,
) => Promise<Why | ((rows: readonly RowNote[]) => Promise<Why | Finding>)>;

/** An answer, as values or as the database wrote it. */
type Answered<N extends EndpointName> = Output<Contract[N]> | Written<Output<Contract[N]>>;
type Handle<N extends EndpointName> = (
  context: Context,
  input: Input<Contract[N]>,
) => Promise<Answered<N>> | Answered<N>;

const marker = Symbol('ownTransactions');
type Own<N extends EndpointName> = { readonly [marker]: Handle<N>; readonly recorded: boolean };

/** The first of two stages: slow work without a transaction, whose result is what is left to do inside one. */
type Prepare<N extends EndpointName> = (
  context: Context,
  input: Input<Contract[N]>,
) => Promise<(context: Context) => Promise<Output<Contract[N]>>>;
const preparing = Symbol('prepared');
type Prepared<N extends EndpointName> = { readonly [preparing]: Prepare<N> };

/**
 * A statement that does the work and writes the change record and the key's answer with it. It runs on the pool; the answer is always true with
 * 操作成功. Gives false when it did nothing, because the call's key has an answer already.
 */
export type Trip<I> = (context: Context, input: I, kept: Kept) => Promise<boolean>;
const tripping = Symbol('oneTrip');
type OneTrip<N extends EndpointName> = {
  readonly [tripping]: Trip<Input<Contract[N]>>;
  readonly handle: Handle<N>;
};

/** A handler, one whose work cannot be one transaction of the database (mail, chat, sign-in), or one in two stages. */
export type Handler<N extends EndpointName> = Handle<N> | Own<N> | Prepared<N> | OneTrip<N>;
export type Handlers = { [N in EndpointName]: Handler<N> };

/** The handlers of one noun; names and types are the contract's. */
export const handlers = <N extends EndpointName>(table: { [K in N]: Handler<K> }): { [K in N]: Handler<K> } =>
  table;

/** A count for the wire, where a falsy answer would count as a failure. */
export const countOrTrue = (count: number): number | true => (count > 0 ? count : true);

/**
 * Marks a command that must not run inside the frame's transaction: it gets the pool and opens its own. One that is not `recorded`
 * leaves no line in the change record, whatever becomes of it: sign-ins have a log of their own, and renewals change nothing.
 */
export const ownTransactions = <N extends EndpointName>(
  handle: Handle<N>,
  { recorded = true } = {},
): Own<N> => ({ [marker]: handle, recorded });

/**
 * Marks a command with slow work to do before its transaction begins, such as hashing: that stage gets the pool and answers with
 * the stage that runs inside the frame's transaction. A refusal of either is kept and recorded like any other.
 */
export const prepared = <N extends EndpointName>(prepare: Prepare<N>): Prepared<N> => ({
  [preparing]: prepare,
});

/** Marks a command that is one statement, its record and key included. `handle` does the same inside a transaction that may be undone. */
export const inOneTrip = <N extends EndpointName>(
  trip: Trip<Input<Contract[N]>>,
  handle: Handle<N>,
): OneTrip<N> => ({ [tripping]: trip, handle });

interface Unwrapped<N extends EndpointName> {
  handle: Handle<N>;
  own: boolean;
  recorded: boolean;
  prepare?: Prepare<N>;
  trip?: Trip<Input<Contract[N]>>;
}

/** How to run a handler: `trip` if it has one; else the stage that `prepare` gives, or `handle`. */
export function unwrap<N extends EndpointName>(handler: Handler<N>): Unwrapped<N> {
  if (typeof handler === 'function') return { handle: handler, own: false, recorded: true };
  if (tripping in handler)
    return { handle: handler.handle, own: false, recorded: true, trip: handler[tripping] };
  if (marker in handler) return { handle: handler[marker], own: true, recorded: handler.recorded };
  const prepare = handler[preparing];
  const handle: Handle<N> = async (context, input) => (await prepare(context, input))(context);
  return { handle, own: false, recorded: true, prepare };
}
