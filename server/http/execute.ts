import { sql } from 'kysely';
import type { EndpointName } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { bumpEpoch } from '#server/features/access/access-store.ts';
import type { SignedIn } from '#server/features/access/signed-in.ts';
import { Refusal } from '#server/refusal.ts';
import type { Vault } from '#server/vault.ts';
import { type ChangeOutcome, recordChange } from './change-record.ts';
import { isRetryable, refusalOf } from './database-failures.ts';
import type { Context } from './handler.ts';
import { claimKey, type KeyedRequest, keepAnswer, releaseKey } from './idempotency.ts';
import { type Answer, refused, success } from './reply.ts';
import type { Sessions } from './sessions.ts';

/** What the frame needs to run any call. */
export interface Services {
  db: Db;
  /** For queries: a streaming replica where there is one, else the same database. */
  replica: Db;
  config: Config;
  vault: Vault;
  sessions: Sessions;
}

/** One call on its way: checked, allowed, not yet run. */
export interface Call {
  name: EndpointName;
  endpoint: AnyEndpoint;
  input: Record<string, unknown>;
  operator: SignedIn;
  address: string;
  now: Date;
  idempotencyKey: string | undefined;
}

/** A call with what it does. */
export interface RunnableCall extends Call {
  run: (context: Context) => Promise<unknown>;
}

const words: readonly [prefix: string, msg: string][] = [
  ['add', '新增成功'],
  ['update', '修改成功'],
  ['delete', '删除成功'],
];
const successWord = (name: string): string =>
  words.find(([prefix]) => name.startsWith(prefix))?.[1] ?? '操作成功';

/** What a handler told the frame while it ran. */
interface Told {
  message?: string;
  accessChanged?: boolean;
  remark?: Parameters<Context['remark']>[0];
}

function contextOf(services: Services, call: Call, db: Db, told: Told): Context {
  const { config, vault } = services;
  return {
    db,
    config,
    vault,
    now: call.now,
    address: call.address,
    operator: call.operator,
    say: (message) => {
      told.message = message;
    },
    remark: (remark) => {
      told.remark = { ...told.remark, ...remark };
    },
    accessChanged: async (tx = db) => {
      told.accessChanged = true;
      await bumpEpoch(tx);
    },
  };
}

/** Runs a query. */
export async function runQuery(services: Services, call: RunnableCall): Promise<Answer> {
  return success(await call.run(contextOf(services, call, services.replica, {})), null);
}

const recordOf = (call: Call, told: Told, outcome: ChangeOutcome, msg: string | null) => ({
  operatorId: call.operator.id,
  userName: call.operator.userName,
  endpoint: call.endpoint,
  call: call.name,
  input: call.input,
  address: call.address,
  outcome,
  msg,
  ...told.remark,
});

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
  if (!call.idempotencyKey || !call.operator.id) return undefined;
  const request = JSON.stringify([call.name, call.input]);
  return {
    operatorId: call.operator.id,
    key: call.idempotencyKey,
    requestHash: services.vault.fingerprint(request),
  };
}

/** Runs the handler and turns its end, good or refused, into an answer. Whatever is no refusal is thrown on. */
async function attempt(
  call: RunnableCall,
  context: Context,
  told: Told,
  undo: () => Promise<unknown>,
): Promise<Answer> {
  try {
    const data = await call.run(context);
    return success(data, told.message ?? successWord(call.name));
  } catch (error) {
    const refusal = refusalOf(error);
    // What lies with the server may be tried again: it is no answer to keep under a key.
    if (!refusal || refusal.status >= 500) throw error;
    told.accessChanged = false;
    await undo();
    return refused(refusal);
  }
}

/** One transaction holds the key, the handler's work and the record of it; a refusal undoes the work and keeps the rest. */
async function inOneTransaction(services: Services, call: RunnableCall, told: Told): Promise<Answer> {
  const keyed = keyedRequest(services, call);
  return services.db.transaction().execute(async (tx) => {
    if (keyed) {
      const first = await claimKey(tx, services.vault, keyed);
      if (first === 'running') throw new Refusal('stillRunning');
      if (first !== 'claimed') return first;
    }
    await sql`savepoint handler`.execute(tx);
    const undo = () => sql`rollback to savepoint handler`.execute(tx);
    const answer = await attempt(call, contextOf(services, call, tx, told), told, undo);
    const { success: succeeded, msg } = answer.envelope;
    await recordChange(tx, recordOf(call, told, succeeded ? 'SUCCESS' : 'REFUSED', msg));
    if (keyed) await keepAnswer(tx, services.vault, keyed, answer);
    return answer;
  });
}

/** For handlers with transactions of their own: the key is claimed before, the answer and the record written after. */
async function inOwnTransactions(services: Services, call: RunnableCall, told: Told): Promise<Answer> {
  const keyed = keyedRequest(services, call);
  const { db, vault } = services;
  if (keyed) {
    const first = await claimKey(db, vault, keyed);
    if (first === 'running') throw new Refusal('stillRunning');
    if (first !== 'claimed') return first;
  }
  try {
    const answer = await attempt(call, contextOf(services, call, db, told), told, () => Promise.resolve());
    const { success: succeeded, msg } = answer.envelope;
    await recordChange(db, recordOf(call, told, succeeded ? 'SUCCESS' : 'REFUSED', msg));
    if (keyed) await keepAnswer(db, vault, keyed, answer);
    return answer;
  } catch (error) {
    if (keyed) await releaseKey(db, keyed);
    throw error;
  }
}

const ATTEMPTS = 3;

/** A deadlock's victim has changed nothing and may try again. */
async function retried<T>(work: () => Promise<T>, left = ATTEMPTS): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (left <= 1 || !isRetryable(error)) throw error;
    return retried(work, left - 1);
  }
}

/** Runs a change: once, recorded, and in force on this server before the answer leaves. */
export async function runCommand(services: Services, call: RunnableCall, own: boolean): Promise<Answer> {
  const told: Told = {};
  try {
    return await (own
      ? inOwnTransactions(services, call, told)
      : retried(() => inOneTransaction(services, call, told)));
  } finally {
    if (told.accessChanged) services.sessions.doubt();
  }
}
