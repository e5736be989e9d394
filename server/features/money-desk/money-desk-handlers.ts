import { orderName } from '#contract/money-desk.ts';
import type { Context } from '#server/http/handler.ts';
import { handlers } from '#server/http/handler.ts';
import { readParam } from '#server/params/read-param.ts';
import { holdSession, putBack, takeThis } from '../orders/takes.ts';
import { readDeskOrder } from './desk-order.ts';
import { readQueue, takeNext } from './desk-queue.ts';
import { demandKind, kindsFor, tableOf } from './desk-rights.ts';

async function takingOf({ db, operator }: Context) {
  await holdSession(db, operator);
  return { operator, minutes: await readParam(db, 'desk.takeMinutes') };
}

export const moneyDeskHandlers = handlers({
  getMoneyDesk: ({ db, operator }, { kind }) => readQueue(db, kindsFor(operator, kind), operator),

  getDeskOrder: ({ db, operator }, key) => {
    demandKind(operator, key.kind);
    return readDeskOrder(db, key, operator);
  },

  takeNextOrder: async (context, { kind, passed = [] }) => {
    const { db, operator } = context;
    if (kind) demandKind(operator, kind);
    const order = await takeNext(db, kindsFor(operator, kind), await takingOf(context), passed);
    context.say(order ? `已领取${orderName(order)}` : '没有可领取的订单');
    if (order) context.remark({ targetId: order.id, after: order });
    return { order };
  },

  takeOrder: async (context, { kind, id, over = false }) => {
    demandKind(context.operator, kind);
    const from = await takeThis(context.db, tableOf(kind), id, await takingOf(context), over);
    if (from !== null)
      context.remark({ before: { taker: from }, after: { taker: context.operator.userName } });
    const order = orderName({ kind, id });
    context.say(from === null ? `已领取${order}` : `已接手${order}`);
    return true as const;
  },

  putBackOrder: async ({ db, operator, say }, key) => {
    demandKind(operator, key.kind);
    const had = await putBack(db, tableOf(key.kind), key.id, operator);
    say(had ? `已放回${orderName(key)}` : `${orderName(key)} 已不由您处理`);
    return true as const;
  },
});
