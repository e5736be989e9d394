import { Decimal } from 'decimal.js';
import type { Input } from '#contract/endpoint.ts';
import type { PostedEntry, postEntries } from '#contract/platform.ts';
import type { Db } from '#server/db/database.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findBalance, freeze } from '../accounts/account-store.ts';
import { findPlacedDeposit, insertDeposit } from '../deposits/deposit-store.ts';
import { type Posted, postAll } from '../ledger/ledger-store.ts';
import { demandAmountWithinLimits } from '../params-settings/param-rules.ts';
import { insertPlayer, playerExists } from '../users/user-store.ts';
import { findPlacedWithdrawal, insertWithdrawal } from '../withdrawals/withdrawal-store.ts';

async function demandPlayer(db: Db, id: number | undefined, field: 'userId' | 'parentId'): Promise<void> {
  if (id !== undefined && !(await playerExists(db, id))) throw new Refusal('recordNotFound', { field });
}

type Sent = Input<typeof postEntries>['entries'][number];

/** What an entry is answered with. Throws `orderNumberTaken` when what stands under its number is another movement. */
function answerOf(sent: Sent | undefined, posted: Posted, place: number): PostedEntry {
  if (!sent) throw new Error('more posted than sent');
  const { bizOrderNo, changeType, userId, amount, desc = null } = sent;
  const same = posted.userId === userId && new Decimal(posted.amount).equals(amount) && posted.desc === desc;
  if (!same)
    throw new Refusal('orderNumberTaken', {
      errors: { entries: `第 ${place + 1} 条账变的订单号 ${bizOrderNo} 已被使用` },
    });
  return { id: posted.id, bizOrderNo, changeType, newAmount: posted.newAmount };
}

export const platformHandlers = handlers({
  createUser: async ({ db, remark }, player) => {
    await demandPlayer(db, player.parentId, 'parentId');
    const id = await insertPlayer(db, player);
    if (id === undefined) throw new Refusal('taken', { field: 'username', values: { what: '用户名' } });
    remark({ targetId: id });
    return id;
  },

  placeDeposit: async ({ db, remark }, order) => {
    const known = await findPlacedDeposit(db, order);
    if (known !== undefined) return known;
    await demandPlayer(db, order.userId, 'userId');
    await demandAmountWithinLimits(db, 'deposit', order.amount);
    // The other of two at once waits here for the first and then finds its order.
    const id = (await insertDeposit(db, order)) ?? (await findPlacedDeposit(db, order));
    if (id === undefined) throw new Error('a deposit is neither new nor known');
    remark({ targetId: id });
    return id;
  },

  placeWithdrawal: async ({ db, remark }, order) => {
    const { userId, amount } = order;
    const known = await findPlacedWithdrawal(db, order);
    if (known !== undefined) return known;
    await demandPlayer(db, userId, 'userId');
    await demandAmountWithinLimits(db, 'withdraw', amount);
    const id = await insertWithdrawal(db, order);
    if (id === undefined) {
      const first = await findPlacedWithdrawal(db, order);
      if (first === undefined) throw new Error('a withdrawal is neither new nor known');
      return first;
    }
    if (!(await freeze(db, userId, amount))) throw new Refusal('balanceTooLow', { field: 'amount' });
    remark({ targetId: id });
    return id;
  },

  postEntries: async ({ db }, { entries }) => {
    const posted = await postAll(
      db,
      entries.map((entry) => ({ ...entry, desc: entry.desc ?? null })),
    );
    return posted.map((row, place): PostedEntry => answerOf(entries[place], row, place));
  },

  getUserBalance: async ({ db }, { id }) => {
    const balance = await findBalance(db, id);
    if (!balance) throw new Refusal('recordNotFound');
    return balance;
  },
});
