import { type Context, handlers } from '#server/http/handler.ts';
import { momentsOf } from '#server/platform-days.ts';
import { Refusal } from '#server/refusal.ts';
import { endWaiting } from '../draw-plans/unawaited-plans.ts';
import { cancelSlip } from '../slips/cancel-slip.ts';
import { releaseHeld } from './holds.ts';
import * as store from './settlement-store.ts';
import { beginSlipVoid, isClosed } from './slip-voids.ts';
import { beginUnvoid, beginVoid, demandNothingUnsettled } from './voids.ts';

const act = ({ operator: { id, userName } }: Context, reason: string) => ({
  operatorId: id,
  userName,
  reason,
});

export const settlementsHandlers = handlers({
  pageSettlements: ({ db }, filter) => store.pageSettlements(db, filter),
  sumSettlements: ({ db }, filter) => store.sumSettlements(db, filter),
  pageHeldSlips: ({ db }, filter) => store.pageHeldSlips(db, filter),

  releaseHeldSlips: async ({ db, remark }, { id, slipId }) => {
    const released = await releaseHeld(db, id, slipId);
    if (released === 0) throw new Refusal('nothingHeld');
    remark({ targetId: id, after: { slipId, slips: released } });
    return released;
  },

  // A void gives stakes back and takes payouts back, so the second operator sees how many slips and how much it is about. What is paid grows
  // while slips settle, which is no reason to refuse the release.
  voidPhase: async (context, { reason, createTimeRange: range, ...phase }) => {
    // What the list of slips shows for the same times.
    const scope = { ...phase, createTimeRange: range && momentsOf(range, context.config.timeZone) };
    const { id, slips, stake, payout } = await beginVoid(context.db, scope, act(context, reason));
    context.remark({ before: { slips, stake }, after: { slips, refund: stake }, moving: { payout } });
    return id;
  },
  // Once its phase has closed a slip can only become void, and only where a second operator sees to it.
  cancelSlip: async (context, { id, reason }) => {
    const { db, operator, remark, waits } = context;
    remark({ targetId: id });
    if (waits && (await isClosed(db, id))) remark(await beginSlipVoid(db, id, act(context, reason)));
    else await cancelSlip(db, id, operator.userName, reason);
    return true as const;
  },
  // A plan says nothing of what was bet on it; whose money waits is asked here.
  stopAwaitingDraw: async (context, { id, reason }) => {
    const plan = await endWaiting(context.db, id, reason);
    await demandNothingUnsettled(context.db, plan);
    context.remark({ targetId: id, before: { ...plan, late: true }, after: { ...plan, late: false } });
    return true as const;
  },
  unvoidPhase: async (context, { settlementId, reason }) => {
    const { id, ...was } = await beginUnvoid(context.db, settlementId, act(context, reason));
    context.remark({ targetId: settlementId, before: was, after: was });
    return id;
  },
});
