import type { addBalance } from '#contract/accounts.ts';
import type { Input } from '#contract/endpoint.ts';
import { type Context, handlers, inOneTrip, type Kept } from '#server/http/handler.ts';
import { writeOff } from '../ledger/ledger-store.ts';
import * as store from './account-store.ts';
import { type Move, moveByHand, moveInside } from './move-store.ts';

type Asked = Input<typeof addBalance>;

/** Money to be moved by hand; the ledger names the operator, and why. */
function moveOf(type: Move['type'], { operator }: Context, { id, balance, remark }: Asked): Move {
  const who = `操作员 ${operator.userName}`;
  const desc = remark ? `${who}：${remark}` : who;
  return { account: id, type, amount: balance, desc, remarked: Boolean(remark) };
}

const moving = (type: Move['type']) =>
  inOneTrip<'addBalance' | 'subtractBalance'>(
    (context: Context, input: Asked, kept: Kept) =>
      moveByHand(context.db, { ...moveOf(type, context, input), kept }),
    async (context: Context, input: Asked) => {
      context.remark(await moveInside(context.db, moveOf(type, context, input)));
      return true as const;
    },
  );

export const accountsHandlers = handlers({
  pageAccounts: ({ db }, filter) => store.pageAccounts(db, filter),
  sumAccounts: ({ db }, filter) => store.sumAccounts(db, filter),
  addBalance: moving('MANUAL_ADDITION'),
  subtractBalance: moving('MANUAL_DEDUCTION'),

  writeOffDebt: async ({ db, remark }, { id, amount }) => {
    const { before, after } = await writeOff(db, id, amount);
    remark({ before: { debt: before }, after: { debt: after } });
    return true as const;
  },
});
