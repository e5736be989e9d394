import { contract, isEndpointName } from '#contract/all.ts';
import { nobodyTouched } from '#server/access/access-events.ts';
import { mayMake } from '#server/access/call-path.ts';
import { nobody, type SignedIn } from '#server/access/signed-in.ts';
import { lacking } from '#server/access/verdict.ts';
import { type Context, handlers, prepared } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { namesIn } from '../change-records/names-in.ts';
import { openedMakers } from './account-resets.ts';
import { stateFor } from './approval-state.ts';
import * as store from './approval-store.ts';
import * as who from './who-releases.ts';

type Pending = Awaited<ReturnType<typeof store.findPending>>;

const asMaker = (operator: SignedIn, { makerId, maker, makerSession }: Pending): SignedIn => ({
  ...operator,
  ...{ id: makerId, userName: maker, sessionId: makerSession },
});

/** The caller as they stand inside this transaction, where nobody's rights change until it ends. */
function callerAmong(able: readonly SignedIn[], { operator }: Context): SignedIn {
  const caller = able.find(({ id }) => id === operator.id);
  if (!caller) throw lacking('releaseApproval');
  return caller;
}

/** Somebody else's, which the caller may decide. Throws `approvalOwn` and what `barrierOf` says. */
async function demandForeign(context: Context, pending: Pending) {
  if (pending.makerId === context.operator.id) throw new Refusal('approvalOwn');
  const able = await who.operatorsAbleToSignIn(context.db);
  const barrier = who.barrierOf(callerAmong(able, context), pending);
  if (barrier) throw barrier;
  return able;
}

/** Ends it, and tells the change record what it was. */
async function decide(
  { db, operator, address, remark }: Context,
  status: 'RELEASED' | 'REJECTED' | 'WITHDRAWN',
  { id, summary, targetId, maker, makerAddress }: Pending,
  reason: string | undefined,
): Promise<void> {
  await store.decide(db, { id, status, operator, address, reason });
  const what = { summary, targetId, maker, makerAddress };
  remark({ targetId: id, before: { status: 'PENDING', ...what }, after: { status, ...what } });
}

type Row = Awaited<ReturnType<typeof store.pageApprovals>>['data'][number];

/** Whether the maker of a call could make it now, without which nobody releases it. */
function isMakable(
  { makerId, call, input }: Pick<Row, 'makerId' | 'call' | 'input'>,
  able: readonly SignedIn[],
) {
  const maker = able.find(({ id }) => id === makerId);
  return maker !== undefined && (!isEndpointName(call) || mayMake(maker, contract[call], Object(input)));
}

/** How an approval stands to an operator. `able` are those who could sign in now. */
function shownTo(operator: SignedIn, { makerId, release, ...row }: Row, able: readonly SignedIn[]) {
  const own = makerId === operator.id;
  const barrier = own ? undefined : who.barrierOf(operator, { call: row.call, release });
  const releasable = !own && !barrier;
  const told =
    barrier ??
    (row.shortened || isMakable({ makerId, ...row }, able) ? undefined : new Refusal('approvalMakerBarred'));
  const isTold = row.status === 'PENDING' && !own && told?.failure !== 'forbidden';
  return { ...row, own, releasable, barred: isTold ? (told?.message ?? null) : null };
}

const unopened = { makerReset: null, resetByChecker: false };

export const approvalsHandlers = handlers({
  pageApprovals: async ({ db, operator }, filter) => {
    const { totalCount, data } = await store.pageApprovals(db, filter);
    const waits = data.some(({ status }) => status === 'PENDING');
    const able = waits ? await who.operatorsAbleToSignIn(db) : [];
    const opened = await openedMakers(
      db,
      data.map(({ id }) => id),
    );
    const shown = (row: Row) => ({ ...shownTo(operator, row, able), ...(opened.get(row.id) ?? unopened) });
    return { totalCount, data: data.map(shown) };
  },

  getApprovalState: ({ db, operator }) => stateFor(db, operator),

  listApprovalNames: async ({ db }, { id }) => {
    const approval = await store.findRecorded(db, id);
    if (!approval) throw new Refusal('recordNotFound');
    return namesIn(db, approval);
  },

  releaseApproval: prepared(async ({ db, vault, rerun }, { id, reason }) => {
    const seen = await store.findPending(db, id, false);
    const { call, makerAddress: address, makerAgent: agent } = seen;
    const raw = store.rawOf(vault, seen);
    const run = await rerun({ call, raw, address, agent, maker: asMaker(nobody, seen) });
    return async (context) => {
      // Whoever changes who may do what waits until this is done, or is done before it.
      await context.accessChanged(nobodyTouched);
      const pending = await store.findPending(context.db, id, true);
      const able = await demandForeign(context, pending);
      who.demandEnough(able, pending.release);
      const maker = able.find((operator) => operator.id === pending.makerId);
      if (!maker) throw new Refusal('approvalMakerBarred');
      await decide(context, 'RELEASED', pending, reason);
      const msg = `由“${context.operator.userName}”放行（复核编号 ${id}）`;
      const { answer, digest, why } = await run(context.db, asMaker(maker, pending), msg);
      // What it does may be the same while what that means is not, as when the rules of a draw have changed.
      if (!digest.equals(pending.digest) || (why ?? pending.why) !== pending.why)
        throw new Refusal('approvalChanged');
      context.say('已放行并执行');
      return answer;
    };
  }),

  rejectApproval: async (context, { id, reason }) => {
    await context.accessChanged(nobodyTouched);
    const pending = await store.findPending(context.db, id, true);
    await demandForeign(context, pending);
    await decide(context, 'REJECTED', pending, reason);
    context.say('已驳回');
    return true as const;
  },

  withdrawApproval: async (context, { id, reason }) => {
    const pending = await store.findPending(context.db, id, true);
    if (pending.makerId !== context.operator.id) throw new Refusal('approvalForeign');
    await decide(context, 'WITHDRAWN', pending, reason);
    context.say('已撤回');
    return true as const;
  },
});
