import type { AnyEndpoint, Effect } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import { isConnectionLoss } from '#server/db/driver/outage.ts';
import { retried } from '#server/db/retried.ts';
import { watched } from '#server/db/rows.ts';
import { Refusal } from '#server/refusal.ts';
import { guardOf, storeApproval, Withheld } from './approval.ts';
import type { Call, RunnableCall, Services } from './call.ts';
import { begun, type ChangeOutcome, recordChange } from './change-record.ts';
import { contextOf, recordOf, type Told } from './context.ts';
import { referenceRefusal, refusalOf } from './database-failures.ts';
import { findAnswer, type KeyedRequest, keepOutcome } from './idempotency.ts';
import { claimKeyInTurn } from './key-claim.ts';
import { keptOf } from './one-trip.ts';
import { type Answer, refused, success } from './reply.ts';

const words: Readonly<Record<Effect, string>> = {
  add: '新增成功',
  update: '修改成功',
  delete: '删除成功',
  do: '操作成功',
};
const successWord = ({ effect = 'do' }: AnyEndpoint): string => words[effect];

/** The answer of a call that gives nothing but its success. */
const usualAnswer = ({ endpoint }: Call): Answer => success(true, successWord(endpoint));

/** Records a command that was turned away before its handler ran, or that failed. */
export async function recordTurnedAway(
  services: Services,
  call: Call,
  outcome: ChangeOutcome,
  msg: string,
): Promise<void> {
  await recordChange(services.db, recordOf({ ...call, input: begun(call.input) }, {}, outcome, msg));
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

/** The key has an answer already: this call's work is undone, and that answer given. */
class AnsweredBefore extends Error {}

/** Records how a call ended, and its answer under its key if it has one. Throws `AnsweredBefore`. */
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
 * Whether a call was told to come back later (HTTP 429). It leaves no line in the record and no answer under its key: a flood must not write,
 * and a caller who comes back may use the same key.
 */
const isShed = ({ status }: Answer): boolean => status === 429;

/** The answer to a call that was refused. Throws what is no refusal, or is the server's fault. */
async function refusalAnswer(services: Services, call: Call, error: unknown): Promise<Answer> {
  const refusal = (await referenceRefusal(services.db, call, error)) ?? refusalOf(error, call);
  if (!refusal || refusal.status >= 500) throw error;
  return refused(refusal, call.endpoint.edits);
}

/** Runs a call whose own statement writes work, record and key. Throws `AnsweredBefore`. */
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

/** Stores a withheld call for release, with its record and the answer under its key, in one transaction. */
async function submitted(services: Services, call: RunnableCall, withheld: Withheld): Promise<Answer> {
  // Approvals came into force while the table was read.
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
  // Once the code is given, the same call is made again under the same key.
  if (error instanceof AnsweredBefore || (error instanceof Refusal && error.failure === 'stepUpNeeded'))
    throw error;
  const answer = await refusalAnswer(services, call, error);
  if (!isShed(answer)) await keep(services, services.db, call, { told, answer });
  return answer;
}

/**
 * Runs a call in one transaction with its record and the answer under its key. The key is not looked up first: a repeat does the work again,
 * and undoes it when it meets the answer. That makes repeats dearer and all other calls cheaper.
 */
async function inOneTransaction(services: Services, call: RunnableCall, told: Told): Promise<Answer> {
  // Of an earlier try nothing counts.
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
  // A repeat would do slow work for nothing; and what its first call proved, such as a password, may have changed by it.
  const known =
    (call.prepare || call.table) && keyed && (await findAnswer(services.db, services.vault, keyed));
  if (known) return known;
  try {
    return await retried(() => inOneTransaction(services, call, told));
  } catch (error) {
    if (!(error instanceof AnsweredBefore) || !keyed) throw error;
    // Its day may have ended meanwhile: the key is free then.
    return (
      (await findAnswer(services.db, services.vault, keyed)) ?? inOneTransactionOnce(services, call, told)
    );
  }
}

/** Runs a handler with transactions of its own: the key is claimed before, answer and record are written after. */
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
    // While the database is away this would only delay the answer; the claim expires by itself.
    if (!isConnectionLoss(error)) await claim?.release();
    throw error;
  } finally {
    claim?.end();
  }
}

/** Runs a call and gives its answer or refusal. */
async function runUnrecorded(services: Services, call: RunnableCall, told: Told): Promise<Answer> {
  const run = async () => {
    const data = await call.run(contextOf(services, call, services.db, told));
    return success(data, told.message ?? successWord(call.endpoint));
  };
  return run().catch((error: unknown) => refusalAnswer(services, call, error));
}

/** Whether a right or the platform's key opens the call; the others are about the caller's own sign-in. */
const isGranted = ({ endpoint: { access } }: Call): boolean =>
  access === 'platform' || typeof access === 'object';

/** Runs a command: once, recorded, and in force on this server before the answer leaves. */
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
