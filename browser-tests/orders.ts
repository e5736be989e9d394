import { randomUUID } from 'node:crypto';
import { createUser, placeDeposit, placeWithdrawal, postEntries } from '#contract/platform.ts';
import { given } from '#server/testing/given.ts';
import { site } from './fixtures.ts';

/** A player with 100, as the player's site makes one. */
async function newPlayer(): Promise<number> {
  const username = `o${randomUUID().slice(0, 12)}`;
  const userId = given((await site().call(createUser, { nickName: '订单', username })).envelope.data);
  const entry = { userId, changeType: 'RECHARGE_GIVE' as const, amount: '100', bizOrderNo: randomUUID() };
  given((await site().call(postEntries, { entries: [entry] })).envelope.data);
  return userId;
}

/** An order that waits, of a player of its own: the orders of the seed are decided by whoever comes first. */
export const waitingOrder = {
  deposit: async (): Promise<number> => {
    const order = { amount: '12.5', type: 'THIRD_PARTY' as const, bankOrderNo: randomUUID() };
    return given((await site().call(placeDeposit, { userId: await newPlayer(), ...order })).envelope.data);
  },
  withdrawal: async (): Promise<number> => {
    const receiveAccount = { realName: '李四', accountNo: '6222' };
    const type = 'BANK_TRANSFER' as const;
    const order = { amount: '40', bankOrderNo: randomUUID(), type, receiveAccount };
    return given((await site().call(placeWithdrawal, { userId: await newPlayer(), ...order })).envelope.data);
  },
};

/** A player with so many deposits that wait, of 1, 2, 3 … unless told otherwise. */
export async function waitingDeposits(count: number, amountOf = (place: number) => String(place + 1)) {
  const username = `p${randomUUID().slice(0, 12)}`;
  const userId = given((await site().call(createUser, { nickName: '批量', username })).envelope.data);
  const ids: number[] = [];
  for (let place = 0; place < count; place += 1) {
    const order = {
      userId,
      amount: amountOf(place),
      type: 'BANK_TRANSFER' as const,
      bankOrderNo: randomUUID(),
    };
    ids.push(given((await site().call(placeDeposit, order)).envelope.data));
  }
  return { userId, ids };
}
