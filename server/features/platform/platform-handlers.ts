import type { Input } from '#contract/endpoint.ts';
import type { PostedEntry, postEntries } from '#contract/platform.ts';
import type { Db } from '#server/db/database.ts';
import { rowsExist } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findBalance, holdAccount } from '../accounts/account-store.ts';
import { findPlacedDeposit, insertDeposit } from '../deposits/deposit-store.ts';
import { type Posted, postAll } from '../ledger/ledger-store.ts';
import { demandAmountWithinLimits } from '../param-settings/param-rules.ts';
import { refusalOfDeposit } from '../player-limits/deposit-check.ts';
import {
  demandTurnoverPlayed,
  requireTurnover,
  turnoverRest,
} from '../turnover-requirements/requirement-store.ts';
import { addUser } from '../users/user-store.ts';
import { findPlacedWithdrawal, insertWithdrawal } from '../withdrawals/withdrawal-store.ts';
import { postTogether } from './entries-together.ts';

async function demandUser(db: Db, id: number | undefined, field: 'userId' | 'parentId'): Promise<void> {
  if (id !== undefined && !(await rowsExist(db, 'player', [id])))
    throw new Refusal('recordNotFound', { field });
}

type Sent = Input<typeof postEntries>['entries'][number];

/** What an entry is answered with. Throws `orderNumberTaken` when what stands under its number is another movement. */
function answerOf({ bizOrderNo, changeType }: Sent, posted: Posted | undefined, place: number): PostedEntry {
  if (posted?.problem)
    throw new Refusal('orderNumberTaken', {
      errors: { entries: `第 ${place + 1} 条账变的业务单号 ${bizOrderNo} 已被使用` },
    });
  if (!posted?.id) throw new Error('an entry is neither new nor known');
  return { id: posted.id, bizOrderNo, changeType, newAmount: posted.newAmount };
}

/** Sets a withdrawal's money aside. Throws at the amount when it is not there, and `debtOutstanding` when something is owed. */
async function freeze(db: Db, userId: number, amount: string): Promise<void> {
  const entry = { userId, changeType: 'FREEZE', amount, bizOrderNo: null, desc: null } as const;
  const [frozen] = await postAll(db, [entry], { standAlone: true });
  if (frozen?.problem === 'MN005') throw new Refusal('debtOutstanding', { field: 'userId' });
  if (frozen?.problem) throw new Refusal('balanceTooLow', { field: 'amount' });
}

export const platformHandlers = handlers({
  createUser: async ({ db, remark }, player) => {
    await demandUser(db, player.parentId, 'parentId');
    const id = await addUser(db, player);
    if (id === undefined) throw new Refusal('taken', { field: 'username', values: { what: '用户名' } });
    remark({ targetId: id });
    return id;
  },

  placeDeposit: async ({ db, remark }, order) => {
    const known = await findPlacedDeposit(db, order);
    if (known !== undefined) return known;
    // The other of two at once waits here for the first and then finds its order, whatever else would be refused by now.
    const refusal = await refusalOfDeposit(db, order.userId, order.amount);
    const first = await findPlacedDeposit(db, order);
    if (first !== undefined) return first;
    await demandAmountWithinLimits(db, 'deposit', order.amount);
    if (refusal) throw refusal;
    const id = (await insertDeposit(db, order)) ?? (await findPlacedDeposit(db, order));
    if (id === undefined) throw new Error('a deposit is neither new nor known');
    remark({ targetId: id });
    return id;
  },

  placeWithdrawal: async ({ db, remark }, order) => {
    const { userId, amount } = order;
    const known = await findPlacedWithdrawal(db, order);
    if (known !== undefined) return known;
    await demandUser(db, userId, 'userId');
    // As with deposits.
    await holdAccount(db, userId);
    const first = await findPlacedWithdrawal(db, order);
    if (first !== undefined) return first;
    await demandAmountWithinLimits(db, 'withdraw', amount);
    await demandTurnoverPlayed(db, userId);
    const id = await insertWithdrawal(db, order);
    if (id === undefined) {
      // Another player's, which is refused.
      const placed = await findPlacedWithdrawal(db, order);
      if (placed === undefined) throw new Error('a withdrawal is neither new nor known');
      return placed;
    }
    await freeze(db, userId, amount);
    remark({ targetId: id });
    return id;
  },

  postEntries: async ({ db }, { entries }) => {
    const posted = await postTogether(
      db,
      entries.map((entry) => ({ ...entry, desc: entry.desc ?? null })),
    );
    const answers = entries.map((entry, place) => answerOf(entry, posted[place], place));
    const gifts = answers.filter(({ changeType }) => changeType === 'RECHARGE_GIVE');
    if (gifts.length > 0)
      await requireTurnover(
        db,
        gifts.map(({ id }) => id),
      );
    return answers;
  },

  getUserBalance: async ({ db }, { id }) => {
    const balance = await findBalance(db, id);
    if (!balance) throw new Refusal('recordNotFound');
    return { ...balance, turnoverRest: await turnoverRest(db, id) };
  },
});
