import type { EndpointName } from '#contract/all.ts';
import type { AnyEndpoint, Effect } from '#contract/endpoint.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { DatabaseClock } from '#server/db/database-clock.ts';
import { isConnectionLoss } from '#server/db/driver/outage.ts';
import type { Reads } from '#server/db/reads.ts';
import { retried } from '#server/db/retried.ts';
import { watched } from '#server/db/rows.ts';
import type { ExportThread } from '#server/exports/export-thread.ts';
import { Refusal } from '#server/refusal.ts';
import type { Vault } from '#server/vault.ts';
import { type ApprovalRules, guardOf, storeApproval, Withheld } from './approval.ts';
import { type ChangeOutcome, recordChange } from './change-record.ts';
import { contextOf, recordOf, type Told } from './context.ts';
import { referenceRefusal, refusalOf } from './database-failures.ts';
import type { ExportPlaces } from './export-places.ts';
import type { ChatSessions, Context, Handlers, Live, NewApproval } from './handler.ts';
import { findAnswer, type KeyedRequest, keepOutcome } from './idempotency.ts';
import { claimKeyInTurn } from './key-claim.ts';
import { type Kept, keptOf } from './one-trip.ts';
import { type Answer, refused, success } from './reply.ts';
import type { SessionUses } from './session-uses.ts';
import type { Sessions } from './sessions.ts';

/** What the frame needs to run any call. */
export interface Services {
  /** For changes. */
  db: Db;
  /** For changes of one's own sign-in, which must not hold up the others. */
  signIn: Db;
  reads: Reads;
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
    /** Whether calls that need a second operator wait for one. */
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
  /** The digest of a table that came in place of its input. */
  table?: string;
  /** What its key stands for, once that was worked out. */
  keyed?: KeyedRequest;
  /** Whether a second operator is waited for where its rules say so, once that was asked. */
  waits?: boolean;
}

/** A call with what it does. */
export interface RunnableCall extends Call {
  /** The input as it came. */
  raw: Record<string, unknown>;
  run: (context: Context) => Promise<unknown>;
  /** Whether the change record has a line of it, where it is a change. */
  recorded: boolean;
  /** Slow work to be done before the transaction begins; it gives what runs in there in place of `run`. */
  prepare?: (context: Context) => Promise<(context: Context) => Promise<unknown>>;
  /** One statement that does everything, in place of `run`. */
  trip?: (context: Context, kept: Kept) => Promise<boolean>;
}

const words: Readonly<Record<Effect, string>> = {
  add: '新增成功',
  update: '修改成功',
  delete: '删除成功',
  do: '操作成功',
};
const successWord = ({ effect = 'do' }: AnyEndpoint): string => words[effect];

/** What a call that gives nothing but its success is answered with. */
const usualAnswer = ({ endpoint }: Call): Answer => success(true, successWord(endpoint));

/** Writes down a change that was turned away before its handler ran, or that broke. */
export async function recordTurnedAway(
  services: Services,
  call: Call,
  outcome: ChangeOutcome,
  msg: string,
): Promise<void> {
  await recordChange(services.db, recordOf(call, {}, outcome, msg));
}

function keyedRequest(services: Services, call: Call): KeyedRequest | undefined {
  // The players' site is one caller, whose keys are those of operator 0; nobody else without a session has any.
  if (!call.idempotencyKey || !(call.operator.id || call.endpoint.access === 'platform')) return undefined;
  call.keyed ??= {
    operatorId: call.operator.id,
    key: call.idempotencyKey,
    requestHash: services.vault.fingerprint(
      JSON.stringify([call.name, call.input, ...(call.table ? [call.table] : [])]),
    ),
    usual: usualAnswer(call),
  };
  return call.keyed;
}

/** Somebody answered under the same key first: this one's work is undone and that answer given. */
class AnsweredBefore extends Error {}

/** Writes down how a call ended, together with its key if it has one; throws `AnsweredBefore`. */
async function keep(
  services: Services,
  db: Db,
  call: Call,
  {
    told,
    answer,
    outcome = answer.envelope.success ? 'SUCCESS' : 'REFUSED',
  }: { told: Told; answer: Answer; outcome?: ChangeOutcome },
): Promise<void> {
  const change = recordOf(call, told, outcome, answer.envelope.msg);
  const keyed = keyedRequest(services, call);
  if (!keyed) await recordChange(db, change);
  else if (!(await keepOutcome(db, services.vault, keyed, answer, change))) throw new AnsweredBefore();
}

/**
 * Whether a call was sent away to come back later (HTTP 429). It leaves no line in the record and no answer under its key: a flood
 * must not write, and who comes back may use the same key.
 */
const isShed = ({ status }: Answer): boolean => status === 429;

/** The answer to a call that was refused; whatever is no refusal, or lies with the server, is thrown on. */
async function refusalAnswer(services: Services, call: Call, error: unknown): Promise<Answer> {
  const refusal = (await referenceRefusal(services.db, call, error)) ?? refusalOf(error, call);
  if (!refusal || refusal.status >= 500) throw error;
  return refused(refusal, call.endpoint.edits);
}

/** A statement of the handler's own holds its work, the record of it and its key. Throws `AnsweredBefore`. */
async function inOneTrip(
  services: Services,
  call: Call,
  trip: NonNullable<RunnableCall['trip']>,
): Promise<Answer> {
  const answer = usualAnswer(call);
  const change = recordOf(call, {}, 'SUCCESS', answer.envelope.msg);
  const kept = keptOf(change, keyedRequest(services, call));
  if (!(await trip(contextOf(services, call, services.db, {}), kept))) throw new AnsweredBefore();
  return answer;
}

/** A transaction of its own holds what was prepared, the record of it and the answer under its key. */
async function submitted(services: Services, call: RunnableCall, withheld: Withheld): Promise<Answer> {
  // Calls have begun to wait while it was read.
  if (call.table) throw new Refusal('importNeedsApproval');
  return services.db.transaction().execute(async (tx) => {
    const approvalId = await storeApproval(services, tx, call, withheld);
    const answer = success({ approvalId }, '已提交复核');
    await keep(services, tx, call, {
      told: { remark: { after: { approvalId } } },
      answer,
      outcome: 'PREPARED',
    });
    return answer;
  });
}

async function refusedOrSubmitted(
  services: Services,
  call: RunnableCall,
  told: Told,
  error: unknown,
): Promise<Answer> {
  if (error instanceof Withheld) {
    try {
      return await submitted(services, call, error);
    } catch (own) {
      return refusedOrSubmitted(services, call, told, own);
    }
  }
  // The same call is made again, under the same key, once the code was given.
  if (error instanceof AnsweredBefore || (error instanceof Refusal && error.failure === 'stepUpNeeded'))
    throw error;
  const answer = await refusalAnswer(services, call, error);
  if (!isShed(answer)) await keep(services, services.db, call, { told, answer });
  return answer;
}

/**
 * One transaction holds the handler's work, the record of it and the answer under its key. A key is not looked up
 * before: a repeat does the work again and loses it when its answer turns out to be there, which costs repeats more
 * and everything else less.
 */
async function inOneTransaction(services: Services, call: RunnableCall, told: Told): Promise<Answer> {
  // What an earlier try said counts no more.
  delete told.message;
  delete told.remark;
  delete told.rows;
  try {
    const guard = await guardOf(services, call);
    if (call.trip && !(await guard?.suspects(services.db))) return await inOneTrip(services, call, call.trip);
    const run = call.prepare ? await call.prepare(contextOf(services, call, services.db, told)) : call.run;
    return await services.db.transaction().execute(async (tx) => {
      const rows = watched(tx);
      const done = await guard?.watch(tx);
      const data = await run(contextOf(services, call, tx, told));
      told.rows = rows;
      await done?.(told);
      const answer = success(data, told.message ?? successWord(call.endpoint));
      await keep(services, tx, call, { told, answer });
      return answer;
    });
  } catch (error) {
    delete told.rows;
    return refusedOrSubmitted(services, call, told, error);
  }
}

async function inOneTransactionOnce(services: Services, call: RunnableCall, told: Told): Promise<Answer> {
  const keyed = keyedRequest(services, call);
  // A repeat would do slow work for nothing, and what it proves may no longer be so after the first.
  const known =
    (call.prepare || call.table) && keyed && (await findAnswer(services.db, services.vault, keyed));
  if (known) return known;
  try {
    return await retried(() => inOneTransaction(services, call, told));
  } catch (error) {
    const first =
      error instanceof AnsweredBefore && keyed && (await findAnswer(services.db, services.vault, keyed));
    if (!first) throw error;
    return first;
  }
}

/** For handlers with transactions of their own: the key is claimed before, the answer and the record written after. */
async function inOwnTransactions(services: Services, call: RunnableCall, told: Told): Promise<Answer> {
  const keyed = keyedRequest(services, call);
  const claimed = keyed && (await claimKeyInTurn(services.db, services.vault, keyed));
  if (claimed && 'first' in claimed) return claimed.first;
  const claim = claimed?.claim;
  try {
    const answer = await runUnrecorded(services, call, told);
    if (isShed(answer)) await claim?.release();
    else {
      const { success: succeeded, msg } = answer.envelope;
      if (call.recorded)
        await recordChange(services.db, recordOf(call, told, succeeded ? 'SUCCESS' : 'REFUSED', msg));
      await claim?.keep(answer);
    }
    return answer;
  } catch (error) {
    // With a database that is away it would only take longer to say so; the claim runs out by itself.
    if (!isConnectionLoss(error)) await claim?.release();
    throw error;
  } finally {
    claim?.end();
  }
}

/** The call's answer, or what it was refused with. */
async function runUnrecorded(services: Services, call: RunnableCall, told: Told): Promise<Answer> {
  const run = async () => {
    const data = await call.run(contextOf(services, call, services.db, told));
    return success(data, told.message ?? successWord(call.endpoint));
  };
  return run().catch((error: unknown) => refusalAnswer(services, call, error));
}

/** Whether the call is one that a right or the platform's key opens; the others are about the caller's own sign-in. */
const isGranted = ({ endpoint: { access } }: Call): boolean =>
  access === 'platform' || typeof access === 'object';

/** Runs a change: once, recorded, and in force on this server before the answer leaves. */
export async function runCommand(everything: Services, call: RunnableCall, own: boolean): Promise<Answer> {
  const told: Told = {};
  const services = isGranted(call) ? everything : { ...everything, db: everything.signIn };
  try {
    const answer = await (own ? inOwnTransactions : inOneTransactionOnce)(services, call, told);
    if (told.heardEverywhere) await services.sessions.heardEverywhere();
    return answer;
  } finally {
    if (told.accessChanged) services.sessions.doubt();
  }
}
