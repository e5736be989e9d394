import type { PostedEntry } from '#contract/platform.ts';
import type { Db } from '#server/db/database.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findBalance, freeze } from '../accounts/account-store.ts';
import { findDepositId, insertDeposit } from '../deposits/deposit-store.ts';
import { postAll } from '../ledger/ledger-store.ts';
import { demandAmountWithinLimits } from '../params-settings/param-rules.ts';
import { insertPlayer, playerExists } from '../users/user-store.ts';
import { findWithdrawalId, insertWithdrawal } from '../withdrawals/withdrawal-store.ts';

async function demandPlayer(db: Db, id: number | undefined, field: 'userId' | 'parentId'): Promise<void> {
  if (id !== undefined && !(await playerExists(db, id))) throw new Refusal('recordNotFound', { field });
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
    const known = await findDepositId(db, order.bankOrderNo);
    if (known !== undefined) return known;
    await demandPlayer(db, order.userId, 'userId');
    await demandAmountWithinLimits(db, 'deposit', order.amount);
    // The other of two at once waits here for the first and then finds its order.
    const id = (await insertDeposit(db, order)) ?? (await findDepositId(db, order.bankOrderNo)) ?? 0;
    remark({ targetId: id });
    return id;
  },

  placeWithdrawal: async ({ db, remark }, order) => {
    const { bankOrderNo, userId, amount } = order;
    const first = async () => (bankOrderNo === undefined ? undefined : findWithdrawalId(db, bankOrderNo));
    const known = await first();
    if (known !== undefined) return known;
    await demandPlayer(db, userId, 'userId');
    await demandAmountWithinLimits(db, 'withdraw', amount);
    const id = await insertWithdrawal(db, order);
    if (id === undefined) return (await first()) ?? 0;
    if (!(await freeze(db, userId, amount))) throw new Refusal('balanceTooLow', { field: 'amount' });
    remark({ targetId: id });
    return id;
  },

  postEntries: async ({ db }, { entries }) => {
    const posted = await postAll(
      db,
      entries.map((entry) => ({ ...entry, desc: entry.desc ?? null })),
    );
    return posted.map(({ id, newAmount }, i): PostedEntry => {
      const { bizOrderNo, changeType } = entries[i] ?? {};
      if (bizOrderNo === undefined || changeType === undefined) throw new Error('more posted than sent');
      return { id, bizOrderNo, changeType, newAmount };
    });
  },

  getUserBalance: async ({ db }, { id }) => {
    const balance = await findBalance(db, id);
    if (!balance) throw new Refusal('recordNotFound');
    return balance;
  },
});
